import type { Endpoint } from './endpoint.ts'

/** The id behind an alias; aliases in `models` win. Without a name: the endpoint's default, if it has one. */
export function resolveModel(
  wanted: string | undefined,
  endpoint: Endpoint,
  models: Record<string, string> = {},
): string | undefined {
  if (wanted === undefined) return endpoint.model
  if (Object.hasOwn(models, wanted)) return models[wanted]
  return Object.hasOwn(endpoint.aliases, wanted) ? endpoint.aliases[wanted] : wanted
}

/** What to do where no model is named and the endpoint has no default. */
export function noModel({ baseUrl }: Endpoint): string {
  return `no model is named and ${baseUrl} has no default; set OPENAI_MODEL`
}
