import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownVersion } from '../../cli/shell/own-version.ts';
import { ROOT } from '../../scripts/package/entries.ts';
import { released } from '../../scripts/release/changelog.ts';
import { checkRelease } from '../../scripts/release/check-release.ts';
import { type Places, setValue, valuesIn } from '../../scripts/release/places.ts';
import { ownerAndName, REPOSITORY_PLACES, repositoryOf } from '../../scripts/release/repository.ts';
import { VERSION_PLACES } from '../../scripts/release/versions.ts';

const OF_RELEASE: readonly (readonly [string, Places, string, string])[] = [
  ['version', VERSION_PLACES, ownVersion(), '9.8.7'],
  ['repository', REPOSITORY_PLACES, repositoryOf(ROOT), 'acme/signalbox'],
];

it.each(OF_RELEASE)('all that is published names one %s', (_, places, current) => {
  expect(valuesIn(ROOT, places).filter(({ value }) => value !== current)).toEqual([]);
});

describe.each(OF_RELEASE)('a release, of its %s,', (_, table, current, other) => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'signalbox-release-'));
    for (const place of places()) cpSync(join(ROOT, place), join(copy, place), { recursive: true });
  });

  afterAll(() => rmSync(copy, { recursive: true }));

  const places = () => Object.keys(table);

  it('sets it in every place, and nothing else', () => {
    const before = valuesIn(copy, table);
    expect(setValue(copy, table, other)).toEqual(places());
    expect(valuesIn(copy, table)).toEqual(before.map(({ place }) => ({ place, value: other })));
    expect(setValue(copy, table, other)).toEqual([]);
    setValue(copy, table, current);
    for (const place of places())
      expect([place, readFileSync(join(copy, place), 'utf8')]).toEqual([
        place,
        readFileSync(join(ROOT, place), 'utf8'),
      ]);
  });

  it('says which place has none', () => {
    const place = join(copy, 'python/pyproject.toml');
    rmSync(place);
    cpSync(join(ROOT, 'LICENSE'), place);
    expect(() => setValue(copy, table, other)).toThrow('python/pyproject.toml: expected a match of');
  });
});

it.each(['acme', 'https://github.com/acme/signalbox', 'acme/signal box', '../..', 'acme/signalbox/more'])(
  'takes no repository like %s',
  (text) => {
    expect(() => ownerAndName(text)).toThrow(`expected OWNER/NAME on GitHub, got ${text}`);
  },
);

describe('what a tag publishes', () => {
  const tag = `v${ownVersion()}`;
  const repository = repositoryOf(ROOT);

  it('is the version and the repository that all files name', () => {
    expect(() => checkRelease(ROOT, { tag, repository })).not.toThrow();
    expect(() => checkRelease(ROOT, {})).not.toThrow();
  });

  it.each([
    [{ tag: 'v9.8.7', repository }, `package.json: expected the version 9.8.7, got ${ownVersion()}`],
    [
      { tag, repository: 'acme/fork' },
      `python/pyproject.toml: expected the repository acme/fork, got ${repository}`,
    ],
  ])('is not %j', (source, line) => {
    expect(() => checkRelease(ROOT, source)).toThrow(line);
  });
});

describe('the changelog of a release', () => {
  const CHANGELOG =
    '# Changelog\n\n## Unreleased\n\n- A change.\n\n## 0.1.0 (2026-01-01)\n\n- Another one.\n';

  it('dates what was unreleased', () => {
    expect(released(CHANGELOG, '0.2.0', '2026-02-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-01)\n\n- A change.\n\n## 0.1.0 (2026-01-01)\n\n- Another one.\n',
    );
  });

  it.each([
    ['0.1.0', CHANGELOG, 'has version 0.1.0 already'],
    ['0.2.0', '# Changelog\n', 'expected a heading "Unreleased"'],
    ['0.2.0', '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n', 'expected changes below'],
  ])('is refused: %s', (wanted, changelog, why) => {
    expect(() => released(changelog, wanted, '2026-02-01')).toThrow(why);
  });
});
