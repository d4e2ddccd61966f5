import type { Tags } from 'yaml';

const isOfTime = (tag: Tags[number]) =>
  typeof tag === 'object' &&
  (tag.tag === 'tag:yaml.org,2002:timestamp' || ('format' in tag && tag.format === 'TIME'));

/** Options to read YAML as kubectl does: version 1.1, where 0600 is octal, without timestamps and base-60 numbers. */
export const YAML_AS_KUBECTL = {
  version: '1.1',
  customTags: (tags: Tags) => tags.filter((tag) => !isOfTime(tag)),
} as const;
