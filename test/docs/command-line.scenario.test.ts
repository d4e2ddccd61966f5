import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandboxLayout } from '@signalbox/sandbox';
import { eventually } from '../eventually.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { yamlFiles } from './page-blocks.ts';
import { shownOn } from './shown-commands.ts';

/** The commands of docs/command-line.md, typed as they stand there, and what they print. */

const ROOT = join(import.meta.dirname, '..', '..');

let page: string;
let stage: Stage;
let folder: string;
beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs', 'command-line.md'), 'utf8');
  stage = await openStage();
  await stage.engine('up');
  folder = await mkdtemp(join(tmpdir(), 'signalbox-docs-'));
  await symlink(join(ROOT, 'examples'), join(folder, 'examples'));
  for (const [name, content] of yamlFiles(page)) await writeFile(join(folder, name), content);
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

/** Asking twice is harmless, so what takes a moment is waited for. */
const isQuestion = (command: string) => /^signalbox (get|list|history|logs|doctor)\b/.test(command);

it('each command prints what the page shows', async () => {
  const shown = shownOn(page);
  expect(shown.length).toBeGreaterThanOrEqual(25);
  for (const { command, lines } of shown) {
    const check = async () => {
      const printed = masked(await type(command)).split('\n');
      for (const line of lines) expect({ command, printed }).toMatchObject({ printed: containing(line) });
      return true;
    };
    if (isQuestion(command)) await eventually(`\`${command}\` prints what the page shows`, check);
    else await check();
  }
});

/** A line that is cut on the page has to begin so. */
const containing = (line: string) =>
  expect.arrayContaining([expect.stringContaining(masked(line).slice(0, 90))]);

/** Leaves out what differs each time: times, durations, addresses, users, widths of columns. */
const masked = (text: string): string =>
  text
    .replaceAll(stage.namespace, 'default')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}\b/g, 'RUN')
    .replace(/\b\d+(\.\d)?[smh](\d+[sm])?\b/g, 'DURATION')
    .replace(/\b(127\.0\.0\.1|localhost):\d+/g, 'ADDRESS')
    .replace(/\d+\/\d+ nodes/g, 'NODES')
    .replace(/\S+@\S+/g, 'USER')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/gm, '');

/** As bash reads it; what is written to standard error is there, too. */
function type(command: string): Promise<string> {
  const program = `signalbox() { "${process.execPath}" "${ROOT}/cli/bin.mjs" "$@" 2>&1; }`;
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') },
    SIGNALBOX_SANDBOX_DIR: '/nowhere',
    SIGNALBOX_LEASE_DURATION: '3',
    SIGNALBOX_EVIDENCE_DIR: sandboxLayout(stage.sandbox.dir).evidence,
    // As the engine of the test.
    SIGNALBOX_ARCHIVE_STORE: 'none',
    SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
    ...(/ context | --context /.test(` ${command} `)
      ? {}
      : { TEMPORAL_ADDRESS: stage.sandbox.temporalAddress, SIGNALBOX_NAMESPACE: stage.namespace }),
  };
  const typed = command.replaceAll('job/default/', `job/${stage.namespace}/`);
  return new Promise((resolve, reject) =>
    execFile('bash', ['-c', `${program}\n${typed}`], { cwd: folder, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${command}: ${stdout}${stderr}`)) : resolve(stdout + stderr),
    ),
  );
}
