import type { ParseOptions, ScalarTag, Tags } from 'yaml';

const isOfTime = (tag: Tags[number]) =>
  typeof tag === 'object' &&
  (tag.tag === 'tag:yaml.org,2002:timestamp' || ('format' in tag && tag.format === 'TIME'));

/** The rules of YAML 1.1 take `e2`, `0x_` and `0_` for numbers, which then are none: kubectl reads two texts and 0. */
const withoutNaN = (tag: Tags[number]): Tags[number] => {
  if (typeof tag !== 'object' || !/:(int|float)$/.test(tag.tag)) return tag;
  const { resolve, ...scalar } = tag as ScalarTag;
  return {
    ...scalar,
    resolve: (text: string, onError: (message: string) => void, options: ParseOptions) => {
      const value = resolve(text, onError, options);
      return Number.isNaN(value) && !/nan$/i.test(text) ? numberOrText(text) : value;
    },
  };
};

function numberOrText(text: string): number | string {
  const number = Number(text.replaceAll('_', ''));
  return Number.isNaN(number) ? text : number;
}

/** Options to read YAML as kubectl does: version 1.1, where 0600 is octal, without timestamps and base-60 numbers. */
export const YAML_AS_KUBECTL = {
  version: '1.1',
  customTags: (tags: Tags) => tags.filter((tag) => !isOfTime(tag)).map(withoutNaN),
} as const;
