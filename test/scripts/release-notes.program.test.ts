import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/package/entries.ts';

/** `.ci/publish-notes` and `.ci/publish-npm`, up to what they ask of GitHub and npm: stand-ins write that down. */

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-notes-'));
  mkdirSync(join(dir, 'bin'));
  standIn('gh', `printf '%s\\n' "$@" > "$ASKED"; shift 6; cat "$2" > "$ASKED.notes"`);
  standIn('npm', `[ "$1" = view ] || echo "$@" >> "$ASKED"; [ "$2" != there@1.0.0 ] || echo 1.0.0`);
  writeFileSync(
    join(dir, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n- Later.\n\n## 1.2.3 (2026-01-01)\n\n- A change.\n\n## 1.2.2 (2025-01-01)\n\n- Old.\n',
  );
});
afterAll(() => rmSync(dir, { recursive: true }));

function standIn(name: string, script: string): void {
  writeFileSync(join(dir, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(dir, 'bin', name), 0o755);
}

function call(script: string, ...args: readonly string[]): string {
  const env = { ...process.env, PATH: `${join(dir, 'bin')}:${process.env.PATH}`, ASKED: join(dir, 'asked') };
  execFileSync(join(ROOT, '.ci', script), args, { cwd: dir, env, stdio: 'pipe' });
  return readFileSync(env.ASKED, 'utf8');
}

test('a release has the notes of its version', () => {
  mkdirSync(join(dir, 'release/sbom'), { recursive: true });
  writeFileSync(join(dir, 'release/sbom/a.cdx.json'), '{}');
  expect(call('publish-notes', 'v1.2.3', 'release').split('\n').slice(0, 4)).toEqual([
    ...['release', 'create', 'v1.2.3', '--verify-tag'],
  ]);
  expect(readFileSync(join(dir, 'asked.notes'), 'utf8').trim()).toBe('- A change.');
});

test('a version without a section in the changelog is refused', () => {
  expect(() => call('publish-notes', 'v1.2.4', 'release')).toThrow('expected a section for 1.2.4, got none');
});

test('packages that are on npm already are not published again', () => {
  for (const name of ['there', 'absent']) {
    mkdirSync(join(dir, name, 'package'), { recursive: true });
    writeFileSync(join(dir, name, 'package/package.json'), JSON.stringify({ name, version: '1.0.0' }));
    mkdirSync(join(dir, 'npm'), { recursive: true });
    execFileSync('tar', ['-czf', join(dir, 'npm', `${name}.tgz`), '-C', join(dir, name), 'package']);
  }
  rmSync(join(dir, 'asked'), { force: true });
  expect(call('publish-npm', 'npm')).toBe('publish npm/absent.tgz\n');
});
