import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Condition, KubeObject } from '../contracts/kubernetes.ts';
import type { JobStatus } from '../contracts/status.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { DIFFERENCES } from '../frameworks/compatibility.ts';
import { parseManifest } from '../frameworks/parse-manifest.ts';
import { renderAttempt } from '../resources/attempt.ts';
import { comparable, has, keyOf } from './comparison/objects.ts';
import { courseOf } from './comparison/statuses.ts';

const FOLDER = join(import.meta.dirname, 'golden');
const CASES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

describe.each(CASES)('what the original operator made of %s', (name) => {
  const observed = read(name);
  const job = jobOf(name);
  const rendered = objectsOf(job);

  it('is made here as well, but for the listed differences', () => {
    expect(comparable(rendered, DIFFERENCES)).toEqual(comparable(observed.created, DIFFERENCES));
  });

  it('has the same status while it runs', () => {
    expect(asObserved(courseOf(job).whenRunning)).toMatchObject(observed.statusWhenRunning);
  });

  it('has the same status when it has succeeded', () => {
    expect(asObserved(courseOf(job).whenSucceeded)).toMatchObject(observed.statusWhenAllSucceeded);
  });

  it('leaves the same objects', () => {
    const { rolesLeft } = courseOf(job);
    const stays = (key: string) => rolesLeft.some((role) => key.includes(`-${role.toLowerCase()}-`));
    const left = rendered.map(keyOf).filter(stays).sort();
    const kinds = new Set(rendered.map(({ kind }) => kind));
    expect(left).toEqual(observed.objectsLeft.filter((key) => kinds.has(key.split('/')[0]!)));
  });
});

describe('the listed differences', () => {
  const everything = CASES.flatMap((name) => [...read(name).created, ...objectsOf(jobOf(name))]);
  const parts = DIFFERENCES.flatMap(({ id, leavesOut = [] }) => leavesOut.map((part) => [id, part] as const));

  it.each(parts)('still leave out something that is there: %s', (_, part) => {
    expect(has(everything, part)).toBe(true);
  });
});

interface Observed {
  readonly created: readonly KubeObject[];
  readonly objectsLeft: readonly string[];
  readonly statusWhenRunning: Record<string, unknown>;
  readonly statusWhenAllSucceeded: Record<string, unknown>;
}

function read(name: string): Observed {
  return JSON.parse(readFileSync(join(FOLDER, name, 'observed.json'), 'utf8'));
}

function jobOf(name: string): TrainingJob {
  const manifest = parse(readFileSync(join(FOLDER, name, 'job.yaml'), 'utf8'));
  const parsed = parseManifest(manifest, { namespace: `g-${name}` });
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  return parsed.job;
}

function objectsOf(job: TrainingJob): readonly KubeObject[] {
  const attempt = { number: 1, anchorUid: 'anchor' };
  const { services, pods } = renderAttempt(job, attempt, { gang: 'none', asGang: true });
  return [...pods, ...services];
}

const asObserved = ({ conditions, replicaStatuses, startTime, completionTime }: JobStatus) => ({
  conditions: conditions.map(({ type, status, reason, message }: Condition) => ({
    type,
    status,
    reason,
    message,
  })),
  replicaStatuses,
  startTime: startTime !== undefined,
  completionTime: completionTime !== undefined,
});
