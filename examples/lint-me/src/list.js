/** The last element, if there is one. */
export function last(list) {
  return list.at(-1)
}
