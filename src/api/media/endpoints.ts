import { notFound } from "../../lib/errors.ts"
import { isUuid } from "../../lib/ids.ts"
import { recordActivity } from "../activity-log/store.ts"
import { anyone, inProject } from "../http/access.ts"
import { BinaryBody } from "../http/binary.ts"
import { endpoint } from "../http/endpoint.ts"
import { IMAGE_TYPES } from "./image-type.ts"
import { checkMayRemove, checkRoom, parsePicture } from "./rules.ts"
import { Media, MediaDraft } from "./schema.ts"
import { countMedia, createMedia, findContent, findMedia, removeMedia } from "./store.ts"

const tag = "Uploaded media"
const CACHE_SECONDS = 365 * 24 * 60 * 60

const create = endpoint({
  name: "uploaded_media_create",
  method: "POST",
  path: "/api/projects/:project_id/uploaded_media",
  tag,
  summary: "Upload a picture (PNG, JPEG, GIF or WebP, up to 4 MB), such as a logo.",
  access: inProject(),
  scope: "project:write",
  takesUpload: true,
  // Counting the pictures and adding one must not mix with others who do the same.
  lock: "organization",
  body: MediaDraft,
  reply: Media,
  status: 201,

  async handle({ db, caller, now, organization, project, siteUrl, body }) {
    const picture = parsePicture(body.image)
    checkRoom(await countMedia(db, organization.id))
    const draft = { ...picture, organization_id: organization.id, created_by: caller.user.id, now }
    const id = await createMedia(db, draft)
    const name = picture.file_name
    const entry = { ...entryOf(project, { id, file_name: name }), activity: "created" }
    await recordActivity(db, { caller, now }, entry)
    return { id, image_location: `${siteUrl}/api/media/${id}`, name }
  },
})

const remove = endpoint({
  name: "uploaded_media_destroy",
  method: "DELETE",
  path: "/api/projects/:project_id/uploaded_media/:id",
  tag,
  summary: "Delete a picture; where it is a logo, there is none afterwards.",
  access: inProject(),
  scope: "project:write",
  reply: null,

  async load({ db, organization, params: { id } }) {
    const name = { organization_id: organization.id, id }
    const media = isUuid(id) ? await findMedia(db, name) : undefined
    if (media === undefined) throw notFound()
    return media
  },

  async handle({ db, caller, now, organization, project, loaded: media }) {
    checkMayRemove({ userId: caller.user.id, level: organization.level }, media)
    await removeMedia(db, media.id)
    const entry = { ...entryOf(project, media), activity: "deleted" }
    await recordActivity(db, { caller, now }, entry)
    return null
  },
})

const show = endpoint({
  name: "media_retrieve",
  method: "GET",
  path: "/api/media/:id",
  tag,
  summary: "Get an uploaded picture; who knows its address may see it.",
  access: anyone,
  scope: null,
  reply: BinaryBody,
  replyTypes: IMAGE_TYPES,

  async handle({ db, params: { id } }) {
    const media = isUuid(id) ? await findContent(db, id) : undefined
    if (media === undefined) throw notFound()
    const { content_type: contentType, content: bytes } = media
    return { contentType, bytes, cacheSeconds: CACHE_SECONDS }
  },
})

export const mediaEndpoints = [create, remove, show]

interface Place {
  readonly id: number
  readonly organization_id: string
}

function entryOf(
  { id: project_id, organization_id }: Place,
  media: { id: string; file_name: string },
) {
  const { id: item_id, file_name: name } = media
  return { organization_id, project_id, scope: "UploadedMedia", item_id, name }
}
