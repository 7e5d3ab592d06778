/** A response whose end, by whatever way, is told once. */
export function withEnd(response: Response, ended: (complete: boolean) => void): Response {
  const { body, status, statusText, headers } = response
  if (!body) {
    ended(true)
    return response
  }
  const reader = body.getReader()
  const held = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        ended(true)
        controller.close()
      } catch (error) {
        ended(false)
        controller.error(error)
      }
    },
    async cancel(reason) {
      ended(false)
      await reader.cancel(reason)
    },
  })
  return new Response(held, { status, statusText, headers })
}
