/** Reads `KEY=VALUE` or `KEY==VALUE`, as a label selector has it; undefined for another text. */
export function parseLabelPair(text: string): readonly [key: string, value: string] | undefined {
  const [, key, value] = /^([^=!]+)==?([^=]*)$/.exec(text.trim()) ?? [];
  return key === undefined || value === undefined ? undefined : [key, value];
}
