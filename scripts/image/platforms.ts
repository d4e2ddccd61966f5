import { arch } from 'node:process';

/**
 * The platforms of the image by the name that OCI and Debian have for them: what npm and Temporal's core call their
 * processor, and the npm package with Node's binary, pinned. Another version of Node (PREFERRED in runtime/node-runtime.mjs)
 * needs other digests.
 */
export const PLATFORMS = {
  amd64: {
    cpu: 'x64',
    core: 'x86_64-unknown-linux-gnu',
    node: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  arm64: {
    cpu: 'arm64',
    core: 'aarch64-unknown-linux-gnu',
    node: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
} as const;

export type ImagePlatform = keyof typeof PLATFORMS;

export const isPlatform = (name: string): name is ImagePlatform => Object.hasOwn(PLATFORMS, name);

/** That of this machine. */
export const ownPlatform = (): ImagePlatform => (arch === 'arm64' ? 'arm64' : 'amd64');
