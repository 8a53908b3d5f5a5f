import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"

const app = useTestApp()

describe("organizations", () => {
  test("a new one has its maker as owner, a first project and no features", async () => {
    const ana = await app.addUser()
    const { status, body } = await app.post("/api/organizations/", ana.key, { name: "Garden Shop" })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: "Garden Shop",
      slug: "garden-shop",
      membership_level: 15,
      member_count: "1",
    })
  })
})
