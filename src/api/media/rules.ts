import { forbidden, invalid } from "../../lib/errors.ts"
import type { Upload } from "../http/endpoint.ts"
import { LEVEL } from "../http/levels.ts"
import { findImageType, IMAGE_TYPES, type ImageType } from "./image-type.ts"

const SIZE_MAX_BYTES = 4 * 1024 * 1024
const FILE_NAME_MAX = 200
/** Of one organization: pictures are for logos, not for storing files. */
export const PICTURES_MAX = 1_000

export interface Picture {
  readonly file_name: string
  readonly content_type: ImageType
  readonly bytes: Uint8Array
}

export function parsePicture({ file_name, bytes }: Upload): Picture {
  if (bytes.length > SIZE_MAX_BYTES) {
    const detail = `The picture has ${bytes.length} bytes; at most ${SIZE_MAX_BYTES} are taken.`
    throw invalid(detail, "image", "file_too_large")
  }
  const content_type = findImageType(bytes)
  if (content_type === undefined) {
    const detail = `The file is no picture of a known kind; use ${IMAGE_TYPES.join(", ")}.`
    throw invalid(detail, "image", "invalid_image")
  }
  const name = file_name.toWellFormed().trim()
  return { file_name: [...name].slice(0, FILE_NAME_MAX).join("") || "image", content_type, bytes }
}

export function checkRoom(pictureCount: number): void {
  if (pictureCount < PICTURES_MAX) return
  const detail = `The organization has ${PICTURES_MAX} pictures; delete some that are not used.`
  throw invalid(detail, "image", "limit_reached")
}

export function checkMayRemove(
  caller: { readonly userId: number; readonly level: number },
  media: { readonly created_by: number | null },
): void {
  if (media.created_by === caller.userId || caller.level >= LEVEL.admin) return
  throw forbidden("Only who uploaded a picture and administrators may delete it.")
}
