/** Runs in the engine. `atob` and `btoa`. */
export function createBase64(): Record<string, unknown> {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

  function refuse(message: string): never {
    const error = new Error(message)
    error.name = 'InvalidCharacterError'
    throw error
  }

  function btoa(input: unknown): string {
    const text = String(input)
    let out = ''
    for (let i = 0; i < text.length; i += 3) {
      const units = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)] as [
        number,
        number,
        number,
      ]
      if (units.some(unit => unit > 255))
        refuse('btoa() takes characters up to U+00FF only. Encode the text first.')
      const bits = (units[0] << 16) | ((units[1] || 0) << 8) | (units[2] || 0)
      const left = text.length - i
      out += ALPHABET.charAt(bits >> 18) + ALPHABET.charAt((bits >> 12) & 63)
      out +=
        (left > 1 ? ALPHABET.charAt((bits >> 6) & 63) : '=') + (left > 2 ? ALPHABET.charAt(bits & 63) : '=')
    }
    return out
  }

  function atob(input: unknown): string {
    let text = String(input).replace(/[\t\n\f\r ]/g, '')
    if (text.length % 4 === 0) text = text.replace(/==?$/, '')
    if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text))
      refuse('atob() was given text that is not base64.')
    let out = ''
    let bits = 0
    let held = 0
    for (const character of text) {
      bits = (bits << 6) | ALPHABET.indexOf(character)
      held += 6
      if (held < 8) continue
      held -= 8
      out += String.fromCharCode((bits >> held) & 255)
      bits &= (1 << held) - 1
    }
    return out
  }

  return { atob, btoa }
}
