import { Command } from 'commander';
import type { InTotoStatement } from '../../record/attest/in-toto.ts';
import { collected } from '../input/manifest-edits.ts';
import { readBytes, readText } from '../input/read-file.ts';
import { type Format, outputOption, print } from '../print/output.ts';
import { withExamples } from '../shell/help-text.ts';

interface VerifyFlags {
  readonly publicKey: string;
  readonly ledger?: string;
  readonly file?: readonly string[];
  readonly output: Format;
}

/** `signalbox attest verify`: asks no server. */
export const attestVerifyCommand = (): Command =>
  withExamples(new Command('verify'), [
    'attest verify train.dsse.json --public-key attest.pub --ledger ledger.jsonl',
    'attest verify train.sigstore.json --public-key attest.pub --file model.safetensors -o json',
  ])
    .description('verify an attestation, and that it is about these files')
    .argument('<attestation>', 'a DSSE envelope or a Sigstore bundle')
    .requiredOption(
      '--public-key <key>',
      'file with a public key in PEM or as `audit key` prints it, or that key itself',
    )
    .option('--ledger <file>', 'the ledger, which must be a subject of the attestation')
    .option('--file <file>', 'an output, which must be a subject of the attestation; repeatable', collected)
    .addOption(outputOption())
    .action(async (path: string, flags: VerifyFlags) => {
      const [{ envelopeIn }, { readVerifyingKey }, { verifyAttestation }, { isVerifierKey }, kind] =
        await Promise.all([
          import('../../record/attest/attestation-file.ts'),
          import('../../record/attest/keys.ts'),
          import('../../record/attest/verify-attestation.ts'),
          import('../../record/log/verifier-key.ts'),
          import('../../record/log/key-kind.ts'),
        ]);
      const given = flags.publicKey;
      kind.refusePrivateKey(given, '--public-key');
      const key = readVerifyingKey(isVerifierKey(given) ? given : await readText(given), given);
      const envelope = envelopeIn(await readText(path), path);
      const files = await contentsOf([...(flags.ledger ? [flags.ledger] : []), ...(flags.file ?? [])]);
      const statement = verifyAttestation({ envelope, key, files });
      await print(statement, flags.output, () => textOfVerification(statement, Object.keys(files)));
    });

async function contentsOf(paths: readonly string[]): Promise<Record<string, Uint8Array>> {
  const read = paths.map(async (path) => [path, await readBytes(path)] as const);
  return Object.fromEntries(await Promise.all(read));
}

function textOfVerification({ subject, predicate }: InTotoStatement, files: readonly string[]): string {
  const { buildDefinition, runDetails } = predicate;
  const outcome = runDetails.byproducts.find(({ name }) => name === 'outcome')?.annotations;
  return [
    `verified: the attestation is signed by this key${files.length ? `, and is about ${files.join(', ')}` : ''}`,
    `job       ${runDetails.metadata.invocationId}`,
    `outcome   ${[outcome?.phase, outcome?.reason].filter(Boolean).join(', ')}`,
    ...subject.map(({ name, digest }) => `subject   ${name}  ${digestText(digest)}`),
    ...buildDefinition.resolvedDependencies.map(
      ({ name, uri, digest = {} }) => `from      ${name}  ${digestText(digest) || uri}`,
    ),
  ].join('\n');
}

const digestText = (digest: Readonly<Record<string, string>>): string =>
  Object.entries(digest)
    .map(([algorithm, hex]) => `${algorithm}:${hex}`)
    .join(' ');
