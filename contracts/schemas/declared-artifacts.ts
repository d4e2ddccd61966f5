import { z } from 'zod';

/** Hex digits by algorithm, in the names that in-toto gives them. */
const HEX_DIGITS = { sha256: 64, sha384: 96, sha512: 128, gitCommit: 40 } as const;
const ALGORITHMS = Object.entries(HEX_DIGITS);
const DIGEST = new RegExp(
  `^(${ALGORITHMS.map(([name, digits]) => `${name}:[0-9a-f]{${digits}}`).join('|')})$`,
);
const A_DIGEST = `ALGORITHM:HEX in lower case, with ${ALGORITHMS.map(([name, digits]) => `${name} (${digits} digits)`).join(', ')}`;
const A_URI = 'a URI, e.g. s3://bucket/key or https://host/path';

const artifact = z
  .strictObject({
    name: z.string().min(1).max(200).describe('Name of the input or output, unique in its list.'),
    uri: z
      .string()
      .max(2_000)
      .regex(/^[A-Za-z][A-Za-z0-9+.-]*:\S+$/, { error: A_URI })
      .optional()
      .describe('Where it is.'),
    digest: z
      .string()
      .regex(DIGEST, { error: A_DIGEST })
      .optional()
      .describe('Its digest, e.g. sha256:9f86...'),
  })
  .refine(({ uri, digest }) => uri !== undefined || digest !== undefined, {
    error: 'a uri, a digest, or both',
  })
  .meta({ id: 'DeclaredArtifact', description: 'An input or output that a manifest declares.' });

/** The list in the annotations `signalbox.dev/inputs` and `signalbox.dev/outputs`; docs/attestation.md. */
export const declaredArtifacts = z
  .array(artifact)
  .max(100)
  .superRefine((artifacts, context) => {
    const names = artifacts.map(({ name }) => name);
    for (const [index, name] of names.entries())
      if (names.indexOf(name) < index)
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: 'a name that is not in the list yet',
        });
  });

/** An input or output that a manifest declares. */
export type DeclaredArtifact = z.infer<typeof artifact>;
