import { describe, expect, test } from '@jest/globals';
import { parseImageId } from '../../../record/attest/image-id.ts';

const HEX = '0a'.repeat(32);

describe('an imageID', () => {
  test.each([
    [
      'containerd and CRI-O',
      `docker.io/library/train@sha256:${HEX}`,
      'docker.io/library/train',
      'sha256',
      HEX,
    ],
    ['Docker', `docker-pullable://registry:5000/a/b@sha256:${HEX}`, 'registry:5000/a/b', 'sha256', HEX],
    ['a registry of SHA-512', `r/a@sha512:${HEX}${HEX}`, 'r/a', 'sha512', `${HEX}${HEX}`],
  ])('of %s names a repository and its digest', (_what, imageID, name, algorithm, hex) => {
    expect(parseImageId(imageID)).toEqual({ type: 'repository digest', name, digest: { [algorithm]: hex } });
  });

  test.each([
    ['the configuration of an image that was never in a registry', `sha256:${HEX}`, 'configuration digest'],
    ['the same by Docker', `docker://sha256:${HEX}`, 'configuration digest'],
    ['the same by CRI-O', HEX, 'configuration digest'],
    ['a tag', 'docker.io/library/train:v1', 'unknown form'],
    ['half a digest', `train@sha256:${HEX.slice(2)}`, 'unknown form'],
    ['nothing', '', 'not reported'],
    ['no field', undefined, 'not reported'],
  ])('may be %s, which is no repository digest', (_what, imageID, type) => {
    expect(parseImageId(imageID)).toEqual({ type });
  });
});
