import { methods, type ClientContext, type NewSessionResponse } from '@agentclientprotocol/sdk'

type Option = NonNullable<NewSessionResponse['configOptions']>[number]

/** Sets the model of a session. Gives the reason when the agent does not offer it. */
export async function chooseModel(
  agent: ClientContext,
  session: NewSessionResponse,
  model: string,
): Promise<string | undefined> {
  const option = session.configOptions?.find(one => one.type === 'select' && one.category === 'model')
  if (option === undefined) return `the agent does not let its model be chosen, so "${model}" cannot be used`
  const offered = valuesOf(option)
  const value = offered.find(one => one === model) ?? offered.find(one => one.endsWith(`/${model}`))
  if (value === undefined) {
    const some = offered.slice(0, 20).join(', ')
    return `the agent does not offer the model "${model}"; it offers ${some}${offered.length > 20 ? ' …' : ''}`
  }
  const { sessionId } = session
  await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value })
  return undefined
}

/** Values stand in a list, or in groups. */
function valuesOf(option: Option): string[] {
  if (option.type !== 'select') return []
  return option.options.flatMap(one =>
    'options' in one ? one.options.map(({ value }) => value) : [one.value],
  )
}
