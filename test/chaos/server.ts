/** The program under test: started, killed, started again, always on the same port and folder. */
import { once } from "node:events"
import net from "node:net"
import path from "node:path"
import type { Instance } from "../support/instance.ts"
import { Program } from "../support/process.ts"

const KEY = "phx_chaoschaoschaoschaoschaos"
const TOKEN = "phc_chaoschaoschaoschaoschaos"

const ERROR_LINE = /^\{"level":"?(50|60|error|fatal)/

export class Server {
  readonly dataDir: string
  readonly instance: Instance
  readonly port: number
  slowestStartMs = 0
  readonly #ended: Program[] = []
  #program: Program | undefined

  private constructor(folder: string, port: number) {
    this.dataDir = path.join(folder, "data")
    this.port = port
    this.instance = { address: `http://127.0.0.1:${port}`, key: KEY, token: TOKEN }
  }

  static async make(folder: string): Promise<Server> {
    return new Server(folder, await findFreePort())
  }

  /** Begins to start; `ready` waits for it. */
  spawn(settings: Readonly<Record<string, string>> = {}): void {
    if (this.#program !== undefined) this.#ended.push(this.#program)
    this.#program = new Program(["start"], {
      HEDGEROW_DATA_DIR: this.dataDir,
      HEDGEROW_SETUP_API_KEY: KEY,
      HEDGEROW_SETUP_PROJECT_TOKEN: TOKEN,
      PORT: String(this.port),
      ...settings,
    })
  }

  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const begin = performance.now()
    this.spawn(settings)
    await this.program.ready()
    this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - begin)
  }

  get program(): Program {
    if (this.#program === undefined) throw new Error("the server was not started")
    return this.#program
  }

  /** What all starts so far have logged as an error. */
  get complaints(): readonly string[] {
    return [...this.#ended, this.program].flatMap(({ output }) =>
      output.split("\n").filter((line) => ERROR_LINE.test(line)),
    )
  }

  get isRunning(): boolean {
    const { exitCode, signalCode } = this.program.child
    return exitCode === null && signalCode === null
  }

  async kill(): Promise<void> {
    await this.program.stop("SIGKILL")
  }

  /** Whatever it is doing. */
  async end(): Promise<void> {
    if (this.#program !== undefined && this.isRunning) await this.stop()
  }

  /** In order; answers false when it did not end well. */
  async stop(): Promise<boolean> {
    return (await this.program.stop()).code === 0
  }
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, "close")
  return port
}
