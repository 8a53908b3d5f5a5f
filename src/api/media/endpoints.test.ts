import { describe, expect, test } from "vitest"
import { useTestApp } from "../../../test/support/app.ts"
import { newUuid } from "../../lib/ids.ts"
import { PICTURES_MAX } from "./rules.ts"

const app = useTestApp()

const SIZE_MAX_BYTES = 4 * 1024 * 1024
const denied = { type: "authentication_error", code: "permission_denied", attr: null }
const missing = { type: "invalid_request", code: "not_found", attr: null }

function pngOf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes)
  bytes.set(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))
  // Every value of a byte, so that nothing on the way can take it for text.
  for (let index = 8; index < Math.min(sizeBytes, 300); index++) bytes[index] = index % 256
  return bytes
}

function formOf(bytes: Uint8Array<ArrayBuffer> | string, name = "logo.png", field = "image") {
  const form = new FormData()
  form.set(field, new Blob([bytes], { type: "image/png" }), name)
  return form
}

async function addPlace() {
  const organization = await app.addOrganization()
  const { owner, project } = organization
  const url = `/api/projects/${project.id}/uploaded_media`
  const upload = (body: unknown, key = owner.key) => app.call("POST", url, { key, body })
  return { organization, owner, key: owner.key, project, url, upload }
}

function fetchPicture(id: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${app.app.address}/api/media/${id}`, init)
}

describe("an uploaded picture", () => {
  test("is shown to anybody, byte by byte, and never as anything else", async () => {
    const { organization, project, url } = await addPlace()
    const member = await app.addMember(organization.id)
    const bytes = pngOf(400)
    const form = formOf(bytes)
    const { status, body } = await app.call("POST", `${url}/`, { key: member.key, body: form })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      image_location: `${app.app.address}/api/media/${body.id}`,
      name: "logo.png",
    })
    const picture = await fetch(body.image_location)
    expect(picture.status).toBe(200)
    expect(new Uint8Array(await picture.arrayBuffer())).toEqual(bytes)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "400",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "cross-origin",
    })
    const head = await fetchPicture(body.id, { method: "HEAD" })
    expect([head.status, await head.text()]).toEqual([200, ""])
    const [entry] = await app.db`
      select activity, scope, item_id, project_id, detail->>'name' as name from activity_log
      where organization_id = ${organization.id} and scope = 'UploadedMedia'`
    expect(entry).toEqual({
      activity: "created",
      scope: "UploadedMedia",
      item_id: body.id,
      project_id: project.id,
      name: "logo.png",
    })
  })

  test("has the type of its bytes, whatever the form says", async () => {
    const { upload } = await addPlace()
    const { body } = await upload(formOf("GIF89a\x01\0", "logo.html"))
    const picture = await fetchPicture(body.id)
    expect(picture.headers.get("content-type")).toBe("image/gif")
  })

  test("may be as large as the limit, and no larger", async () => {
    const { upload } = await addPlace()
    expect((await upload(formOf(pngOf(SIZE_MAX_BYTES)))).status).toBe(201)
    const { status, body } = await upload(formOf(pngOf(SIZE_MAX_BYTES + 1)))
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code: "file_too_large", attr: "image" })
  })

  test.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ["a page", "<!doctype html>"],
    ["nothing", ""],
  ])("is never %s", async (_, content) => {
    const { upload } = await addPlace()
    const { status, body } = await upload(formOf(content))
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: "validation_error", code: "invalid_image", attr: "image" })
  })

  test("must be a file in the field image", async () => {
    const { upload } = await addPlace()
    const text = new FormData()
    text.set("image", "not a file")
    const cases = [
      [formOf(pngOf(20), "logo.png", "picture"), "required"],
      [{}, "required"],
      [text, "invalid_input"],
      [{ image: "text" }, "invalid_input"],
      [{ image: { file_name: "a", content_type: "image/png", bytes: [137, 80] } }, "invalid_input"],
      [{ image: null }, "null"],
    ] as const
    for (const [sent, code] of cases) {
      const { status, body } = await upload(sent)
      expect(status).toBe(400)
      expect(body).toMatchObject({ type: "validation_error", code, attr: "image" })
    }
  })

  test("keeps a name of bounded length, or gets one", async () => {
    const { upload } = await addPlace()
    const long = await upload(formOf(pngOf(20), "é".repeat(500)))
    expect(long.body.name).toBe("é".repeat(200))
    expect((await upload(formOf(pngOf(20), "  "))).body.name).toBe("image")
  })

  test("is one too many when the organization has very many", async () => {
    const { organization, upload } = await addPlace()
    await app.db`
      insert into media (id, organization_id, file_name, content_type, content, created_at)
      select gen_random_uuid(), ${organization.id}, 'x', 'image/png', '', now()
      from generate_series(2, ${PICTURES_MAX})`
    const sent = [1, 2, 3].map(() => upload(formOf(pngOf(20))))
    const answers = await Promise.all(sent)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.body).toMatchObject({ code: "limit_reached", attr: "image" })
  })

  test("is a logo until it is deleted", async () => {
    const { organization, key, upload, url } = await addPlace()
    const { body: media } = await upload(formOf(pngOf(20)))
    const change = { logo_media_id: media.id }
    expect(await app.patch(organization.url, key, change)).toMatchObject({
      status: 200,
      body: change,
    })
    const deleted = await app.delete(`${url}/${media.id}`, key)
    expect(deleted).toMatchObject({ status: 204, text: "" })
    expect((await app.get(organization.url, key)).body.logo_media_id).toBe(null)
    expect((await fetchPicture(media.id)).status).toBe(404)
    expect((await app.delete(`${url}/${media.id}`, key)).status).toBe(404)
    const rows = await app.db`
      select activity from activity_log
      where organization_id = ${organization.id} and scope = 'UploadedMedia' order by id`
    expect(rows.map(({ activity }) => activity)).toEqual(["created", "deleted"])
  })
})

describe("who may do what with pictures", () => {
  test("whoever uploaded one deletes it, and administrators do", async () => {
    const { organization, key, upload, url } = await addPlace()
    const member = await app.addMember(organization.id)
    const mine = await upload(formOf(pngOf(20)), member.key)
    const other = await upload(formOf(pngOf(20)))
    const refused = await app.delete(`${url}/${other.body.id}`, member.key)
    expect(refused).toMatchObject({ status: 403, body: denied })
    expect((await app.delete(`${url}/${mine.body.id}`, member.key)).status).toBe(204)
    const second = await upload(formOf(pngOf(20)), member.key)
    expect((await app.delete(`${url}/${second.body.id}`, key)).status).toBe(204)
  })

  test("strangers neither upload nor delete, and a key needs the scope", async () => {
    const { owner, upload, url } = await addPlace()
    const stranger = await addPlace()
    const { body } = await upload(formOf(pngOf(20)))
    const reader = await app.addKey(owner.id, { scopes: ["project:read"] })
    for (const key of [stranger.key, reader]) {
      expect(await upload(formOf(pngOf(20)), key)).toMatchObject({ status: 403, body: denied })
      const deleted = await app.delete(`${url}/${body.id}`, key)
      expect(deleted).toMatchObject({ status: 403, body: denied })
    }
    // Through a project of one's own, a foreign picture does not exist.
    const through = await app.delete(`${stranger.url}/${body.id}`, stranger.key)
    expect(through).toMatchObject({ status: 404, body: missing })
    expect((await fetchPicture(body.id)).status).toBe(200)
  })

  test.each(["junk", "%00", newUuid()])("there is no picture %j", async (id) => {
    const { url, key } = await addPlace()
    const shown = await app.get(`/api/media/${id}`)
    expect(shown).toMatchObject({ status: 404, body: missing })
    expect(shown.headers.get("cache-control")).toBe("no-store")
    expect((await app.delete(`${url}/${id}`, key)).status).toBe(404)
  })

  test("other methods are refused where a picture is shown", async () => {
    const { key } = await addPlace()
    expect((await app.post(`/api/media/${newUuid()}`, key)).status).toBe(405)
  })
})
