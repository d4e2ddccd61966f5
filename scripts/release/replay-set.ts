import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The history of a run, as `temporal workflow show -o json` exports it. */
export interface ExportedHistory {
  readonly events: readonly { readonly eventType: string; readonly [attributes: string]: unknown }[];
}

/** What a release leaves to later versions, which must be able to run its jobs, and to hand them back. */
export interface ReplaySet {
  readonly version: string;
  /** The recorded histories by name: later workflows must replay them. */
  readonly histories: Readonly<Record<string, ExportedHistory>>;
  /** The bundle of its workflows: it must replay later histories. Only the last release has it. */
  readonly workflows?: string;
}

/** Minor versions whose jobs a version runs: its own, and those before. */
const MINORS = 3;

const HISTORIES = 'histories.json.br';
const WORKFLOWS = 'workflows.js.br';

/** Returns the histories in a folder by name, i.e. without `.json`. */
export const historiesIn = (folder: string): ReplaySet['histories'] =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => [
        basename(file, '.json'),
        JSON.parse(readFileSync(join(folder, file), 'utf8')) as ExportedHistory,
      ]),
  );

/** Returns the sets in a folder, the oldest first. */
export const replaySetsIn = (folder: string): readonly ReplaySet[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .sort(byVersion)
        .map((version) => readSet(folder, version))
    : [];

function readSet(folder: string, version: string): ReplaySet {
  const read = (file: string) => brotliDecompressSync(readFileSync(join(folder, version, file))).toString();
  return {
    version,
    histories: JSON.parse(read(HISTORIES)),
    ...(existsSync(join(folder, version, WORKFLOWS)) ? { workflows: read(WORKFLOWS) } : {}),
  };
}

/**
 * Keeps what a release leaves to later versions: the histories that are recorded in the folder `replay` now, and its
 * workflows. Throws if it is a patch that cannot be rolled back.
 */
export function keepRelease(
  replay: string,
  { version, workflows }: Pick<Required<ReplaySet>, 'version' | 'workflows'>,
): void {
  const oneWay = join(replay, 'one-way.json');
  const releases = join(replay, 'releases');
  const isPatch = replaySetsIn(releases).some((set) => minorOf(set.version) === minorOf(version));
  const names = Object.keys(JSON.parse(readFileSync(oneWay, 'utf8')));
  if (isPatch && names.length > 0)
    throw new Error(
      `${version} could not be rolled back: ${oneWay} names ${names.join(', ')}. Release a new minor version.`,
    );
  keepReplaySet(releases, { version, histories: historiesIn(join(replay, 'histories')), workflows });
  writeFileSync(oneWay, '{}\n');
}

/**
 * Adds the set of a release to those in a folder. Removes what the promise of docs/upgrades.md no longer names: all sets
 * but those of this minor version and of the two before, and the workflows of earlier releases. The same set gives the same bytes.
 */
export function keepReplaySet(folder: string, { version, histories, workflows }: Required<ReplaySet>): void {
  const earlier = existsSync(folder) ? readdirSync(folder) : [];
  const kept = [...new Set([...earlier, version].sort(byVersion).map(minorOf))].slice(-MINORS);
  for (const one of earlier) {
    if (kept.includes(minorOf(one))) rmSync(join(folder, one, WORKFLOWS), { force: true });
    else rmSync(join(folder, one), { recursive: true });
  }
  mkdirSync(join(folder, version), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(folder, version, file), compressed(text));
  write(HISTORIES, JSON.stringify(histories));
  // Its map is more than half of it, and the SDK wants one.
  write(WORKFLOWS, workflows.replace(/(?<=^\/\/# sourceMappingURL=data:[^,]*,).*$/m, EMPTY_MAP));
}

const EMPTY_MAP = Buffer.from(
  '{"version":3,"file":"workflows.js","sources":[],"names":[],"mappings":""}',
).toString('base64');

/**
 * Histories are alike: a window over all of them makes them half as large as gzip does. The highest quality would make the set
 * a tenth smaller in 30 times the time.
 */
const compressed = (text: string): Buffer =>
  brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_QUALITY]: 9,
    },
  });

const byVersion = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

/** `0.2` of 0.2.1 */
const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');
