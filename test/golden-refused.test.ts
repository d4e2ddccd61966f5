import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { formatFault } from '../frameworks/fields/faults.ts';
import { parseManifest } from '../frameworks/manifest/parse-manifest.ts';

const FOLDER = join(import.meta.dirname, 'golden-refused');
const SPECS = 'spec.mpiReplicaSpecs';

/** What the original operator does not run: why not. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'mpi-v2-invalid-name': [
    'metadata.name: expected a DNS label: lower-case letters, digits and -, starting with a letter, got "1-this-is-a-very-long-name-for-an-mpi-job-fifty-five-chars"',
    `${SPECS}.Launcher.replicas: expected exactly 1, got 2`,
    `${SPECS}.Launcher.restartPolicy: expected one of Never, OnFailure, got "Always"`,
    `${SPECS}.Worker.restartPolicy: expected one of Never, OnFailure, got "ExitCode"`,
    'metadata.name: expected at most 54 characters, because pod names add -launcher and have at most 63, got 58',
  ],
  'mpi-v2-invalid-no-workers': [`${SPECS}.Worker.replicas: expected an integer >= 1, got 0`],
};

it.each(readdirSync(FOLDER))('%s is refused, with every fault by its path', (name) => {
  const manifest: unknown = parse(readFileSync(join(FOLDER, name, 'job.yaml'), 'utf8'));
  const parsed = parseManifest(manifest, { namespace: 'ml' });
  expect('faults' in parsed && parsed.faults.map(formatFault)).toEqual(REFUSED[name]);
});
