import { type DigestSet, digestSetOf } from './in-toto.ts';

/** What an `imageID` of a container's status identifies. */
export type ImageId =
  /** A manifest in a repository, which anyone can pull. */
  | {
      readonly type: 'repository digest';
      readonly name: string;
      readonly digest: DigestSet;
    }
  /** The configuration of an image that its node has: no registry knows it by this digest. */
  | { readonly type: 'configuration digest' }
  | { readonly type: 'unknown form' }
  | { readonly type: 'not reported' };

/** Reads an `imageID` in the forms of containerd, CRI-O and Docker. */
export function parseImageId(imageID: string | undefined): ImageId {
  if (!imageID) return { type: 'not reported' };
  const text = imageID.replace(/^[a-z-]+:\/\//, '');
  const [, name, digest] = REPOSITORY_DIGEST.exec(text) ?? [];
  if (name && digest) return { type: 'repository digest', name, digest: digestSetOf(digest) };
  return { type: CONFIGURATION_DIGEST.test(text) ? 'configuration digest' : 'unknown form' };
}

const REPOSITORY_DIGEST = /^([^@\s]+)@(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;
const CONFIGURATION_DIGEST = /^(sha256:)?[0-9a-f]{64}$/;
