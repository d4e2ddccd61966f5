import type { KeyObject } from 'node:crypto';
import { isFields } from '../../language/fields.ts';
import { sha256 } from '../ledger/chain.ts';
import { type Envelope, IN_TOTO, openEnvelope } from './dsse.ts';
import type { InTotoStatement } from './in-toto.ts';
import { BUILD_TYPE } from './statement.ts';

/** An attestation that does not hold: not signed by the key, or about something else. */
class AttestationInvalidError extends Error {
  override readonly name = 'AttestationInvalidError';
}

interface AttestationCheck {
  readonly envelope: Envelope;
  /** Of several, one must have signed it. */
  readonly key: KeyObject | readonly KeyObject[];
  /** Content of files that the attestation must be about, by path. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** Returns the statement if a key signed it, it is of a training job, and each file is one of its subjects. */
export function verifyAttestation({ envelope, key, files }: AttestationCheck): InTotoStatement {
  const payload = [key]
    .flat()
    .map((one) => openEnvelope(envelope, one))
    .find((opened) => opened !== undefined);
  if (!payload) throw new AttestationInvalidError('no signature of the attestation is by this key');
  const statement = envelope.payloadType === IN_TOTO ? statementIn(payload) : undefined;
  if (!statement)
    throw new AttestationInvalidError(`expected a statement of build type ${BUILD_TYPE}, got another`);
  for (const [path, content] of Object.entries(files)) checkSubject(statement, path, sha256(content));
  return statement;
}

function statementIn(payload: Buffer): InTotoStatement | undefined {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    const predicate = isFields(value) && isFields(value.predicate) ? value.predicate : {};
    const definition = isFields(predicate.buildDefinition) ? predicate.buildDefinition : {};
    return definition.buildType === BUILD_TYPE ? (value as unknown as InTotoStatement) : undefined;
  } catch {
    return undefined;
  }
}

function checkSubject({ subject }: InTotoStatement, path: string, hash: string): void {
  if (subject.some((one) => one.digest.sha256 === hash)) return;
  const known = subject.map((one) => `${one.name} (${one.digest.sha256 ?? Object.values(one.digest)[0]})`);
  throw new AttestationInvalidError(
    `${path}: expected the SHA-256 of a subject, ${known.join(', ')}; got ${hash}`,
  );
}
