import { z } from "zod"
import { text } from "../http/fields.ts"
import { GUESS_LENGTH_MAX } from "../http/password-guess.ts"
import { EMAIL_LENGTH_MAX } from "../users/schema.ts"

export const SignIn = z.object({
  email: text(EMAIL_LENGTH_MAX),
  password: z.string().min(1).max(GUESS_LENGTH_MAX),
})

export const SignedInReply = z.object({ success: z.literal(true) })
