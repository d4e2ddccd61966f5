/** The grammar of image references: https://github.com/distribution/reference. */

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const HOST = `(?:${LABEL}(?:\\.${LABEL})*|\\[[0-9a-fA-F:]+\\])(?::[0-9]+)?`;
const PATH = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const TAG = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

/** E.g. `registry.example:5000/team/train:1.0@sha256:…`. */
export const IMAGE_REFERENCE = {
  pattern: new RegExp(`^(?:${HOST}/)?${PATH}(?:/${PATH})*(?::${TAG})?(?:@${DIGEST})?$`),
  expected: 'the name of an image, e.g. registry.example/team/train:1.0',
} as const;
