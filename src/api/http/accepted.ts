/** An answer before the work is done: status 202. The endpoint names its schema as `accepted`. */
export class AcceptedReply {
  readonly body: unknown

  constructor(body: unknown) {
    this.body = body
  }
}

export const ACCEPTED_STATUS = 202
