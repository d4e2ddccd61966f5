import type { KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import type { AttestationFormat } from '../../record/attest/attestation-file.ts';
import type { AttestedJob } from '../../record/attest/attested-job.ts';
import type { AttestedStatement } from '../../record/attest/statement.ts';
import { type ArchivedFlags, archivedOptions } from '../archived/archived.ts';
import { readAttestedJob } from '../attest/read-job.ts';
import { attestVerifyCommand } from '../attest/verify.ts';
import { aboutJob, evidenceOptions } from '../input/job-options.ts';
import { collected } from '../input/manifest-edits.ts';
import { namedFiles } from '../input/named-files.ts';
import { readText } from '../input/read-file.ts';
import { dataText, note } from '../print/output.ts';
import { withExamples } from '../shell/help-text.ts';
import { ownVersion } from '../shell/own-version.ts';

interface AttestFlags extends ArchivedFlags {
  readonly key?: string;
  readonly out?: string;
  readonly ledger?: string;
  readonly file?: readonly string[];
  readonly format: AttestationFormat;
  readonly withoutEnv?: boolean;
}

const EXAMPLES = [
  'attest train --key attest.key --out train.dsse.json --ledger ledger.jsonl',
  'attest train --archived --key attest.key --format bundle --out train.sigstore.json',
  'attest train --key attest.key --file model=model.safetensors',
];

const HELP = `Prints an in-toto statement with the SLSA provenance predicate, signed by your key (PEM, Ed25519 or ECDSA P-256)
or unsigned. Its subjects are the ledger, as --ledger writes it, and the declared outputs whose digest is known.`;

export const attestCommand = (): Command =>
  archivedOptions(evidenceOptions(withExamples(aboutJob(new Command('attest')), EXAMPLES, HELP)))
    .description('write a signed statement of what a job’s outputs came from')
    .option('--key <file>', 'private key in PEM that signs the attestation')
    .option('--out <file>', 'write the attestation to this file; default: print it')
    .addOption(
      new Option('--format <format>', 'a DSSE envelope, or a Sigstore bundle around one')
        .choices(['dsse', 'bundle'])
        .default('dsse'),
    )
    .option('--ledger <file>', 'also write the ledger, a subject of the attestation, to this file')
    .option('--file <output=file>', 'the file of a declared output: becomes a subject; repeatable', collected)
    .option('--without-env', 'omit the values of environment variables, and hide what looks like a secret')
    .addCommand(attestVerifyCommand())
    .action(async (name: string | undefined, flags: AttestFlags, command: Command) => {
      const files = namedFiles(flags.file ?? []);
      const key = flags.key === undefined ? undefined : await signingKey(flags.key);
      const job = await readAttestedJob(name, command, flags);
      const attested = await attest(job, files, flags);
      if (flags.ledger) await writeFile(flags.ledger, attested.ledger);
      const text = await textOfStatement(attested, key, flags.format);
      if (flags.out) await writeFile(flags.out, text);
      else process.stdout.write(dataText(text, 'json'));
      if (!flags.withoutEnv) await noteSecrets(attested);
      if (!key) note('This statement is not signed: give a private key with --key.');
    });

/** The manifest is in the statement as it was submitted, and statements are sent around. */
async function noteSecrets({ statement }: AttestedStatement): Promise<void> {
  const { hasSecrets } = await import('../../contracts/secrets/hide-secrets.ts');
  if (hasSecrets(statement))
    note('warning: this statement has values that look like secrets; --without-env leaves them out.');
}

async function signingKey(path: string): Promise<KeyObject> {
  const { readSigningKey } = await import('../../record/attest/keys.ts');
  return readSigningKey(await readText(path), path);
}

async function attest(
  job: AttestedJob,
  files: Readonly<Record<string, string>>,
  { withoutEnv }: AttestFlags,
): Promise<AttestedStatement> {
  const [{ provenanceOf }, { measureOutputs }] = await Promise.all([
    import('../../record/attest/statement.ts'),
    import('../../record/attest/measured-outputs.ts'),
  ]);
  const outputs = await measureOutputs(job.manifest, files);
  return provenanceOf(job, { version: ownVersion(), outputs, withoutEnv });
}

async function textOfStatement(
  { statement }: AttestedStatement,
  key: KeyObject | undefined,
  format: AttestationFormat,
): Promise<string> {
  const [{ canonicalJson }, { signEnvelope }, { attestationText }] = await Promise.all([
    import('../../language/canonical-json.ts'),
    import('../../record/attest/dsse.ts'),
    import('../../record/attest/attestation-file.ts'),
  ]);
  if (!key) return `${JSON.stringify(statement, null, 2)}\n`;
  return attestationText(signEnvelope(canonicalJson(statement), key), format);
}
