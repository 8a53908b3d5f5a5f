import { describe, expect, test } from "vitest"
import { certificatePem } from "../../test/support/certificate.ts"
import { parseCertificate } from "./certificate.ts"

const base64 = certificatePem.replace(/-----[^-]+-----|\s/g, "")

describe("a certificate", () => {
  test.each([
    ["as PEM", certificatePem],
    ["as PEM with line ends of Windows", certificatePem.replaceAll("\n", "\r\n")],
    ["as PEM in one line", certificatePem.replaceAll("\n", " ")],
    ["as PEM with text around it", `subject=x\n${certificatePem}\nbye`],
    ["as bare base64", base64],
    ["as base64 in lines", ` ${base64.replace(/.{40}/g, "$&\n\t")} `],
  ])("is read %s and kept as clean PEM", (_, text) => {
    expect(parseCertificate(text)).toBe(certificatePem)
  })

  test("loses a private key pasted along with it", () => {
    const key = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"
    expect(parseCertificate(key + certificatePem)).toBe(certificatePem)
  })

  test.each([
    ["nothing", "", "is neither PEM nor base64"],
    ["words", "not a certificate!", "is neither PEM nor base64"],
    ["base64 of something else", "aGVsbG8=", "is not an X.509 certificate"],
    ["a cut certificate", base64.slice(0, 200), "is not an X.509 certificate"],
    ["a damaged certificate", base64.replace(/^.{8}/, "AAAAAAAA"), "is not an X.509 certificate"],
    ["an empty block", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", "is neither PEM"],
    ["another block", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "is neither"],
    ["two certificates", certificatePem + certificatePem, "holds 2 certificates"],
    ["an endless text", "A".repeat(16 * 1024 + 1), "is longer than 16384 characters"],
  ])("is never %s", (_, text, problem) => {
    expect(() => parseCertificate(text)).toThrow(problem)
    expect(() => parseCertificate(text)).toThrow(
      expect.objectContaining({ kind: "invalid", code: "invalid_input", attr: "saml_x509_cert" }),
    )
  })
})
