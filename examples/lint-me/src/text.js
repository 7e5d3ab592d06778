/** The text with its first letter in upper case. */
export function capital(text) {
  // TODO empty texts
  return text[0].toUpperCase() + text.slice(1)
}
