/** As much of OpenAPI 3.1 as our document uses. */
export type JsonSchema = { [key: string]: unknown }

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface MediaContent {
  readonly [mediaType: string]: { readonly schema: JsonSchema }
}

export interface Response {
  readonly description: string
  readonly content?: MediaContent
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: MediaContent }
  readonly responses: Readonly<Record<string, Response>>
  readonly "x-scope"?: string
  readonly "x-access"?: string
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly [key: string]: unknown
  }
  readonly servers?: readonly { readonly url: string }[]
  readonly security?: readonly unknown[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes?: Readonly<Record<string, unknown>>
    readonly schemas: Readonly<Record<string, JsonSchema>>
  }
}
