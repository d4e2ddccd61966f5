import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { declaredIn } from './declared.ts';

/** Files that were given as outputs of a job, and are not. */
class OutputError extends Error {
  override readonly name = 'OutputError';
  readonly code = 'AttestationOutput';
}

/** Returns the SHA-256 of files, in hex, by the names of the declared outputs that they are. */
export async function measureOutputs(
  manifest: unknown,
  files: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const declared = new Map(declaredIn(manifest, 'outputs').map(({ name, digest }) => [name, digest]));
  const measured: Record<string, string> = {};
  for (const [name, path] of Object.entries(files)) {
    if (!declared.has(name)) throw undeclared(name, [...declared.keys()]);
    const hash = await sha256OfFile(path);
    const expected = declared.get(name);
    if (expected?.startsWith('sha256:') && expected !== `sha256:${hash}`) {
      throw new OutputError(
        `${path}: expected ${expected}, as the manifest declares for ${name}, got sha256:${hash}`,
      );
    }
    measured[name] = hash;
  }
  return measured;
}

function undeclared(name: string, known: readonly string[]): OutputError {
  const expected = known.length
    ? `one of the declared outputs ${known.join(', ')}`
    : 'no output, as none is declared';
  return new OutputError(
    `--file ${name}: expected ${expected}; got ${name} (annotation signalbox.dev/outputs)`,
  );
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
