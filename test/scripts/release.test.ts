import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ownVersion } from '../../cli/shell/own-version.ts';
import { ROOT } from '../../scripts/package/entries.ts';
import { released } from '../../scripts/release/changelog.ts';
import { setVersion, versionsIn } from '../../scripts/release/versions.ts';

const version = ownVersion();

it('all that is published has one version', () => {
  expect(versionsIn(ROOT).filter((found) => found.version !== version)).toEqual([]);
});

describe('a release', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'signalbox-release-'));
    for (const place of places()) cpSync(join(ROOT, place), join(copy, place), { recursive: true });
  });

  afterAll(() => rmSync(copy, { recursive: true }));

  const places = () => [...new Set(versionsIn(ROOT).map(({ place }) => place))];

  it('sets the version in every place, and nothing else', () => {
    const before = versionsIn(copy);
    expect(setVersion(copy, '9.8.7')).toEqual(places());
    expect(versionsIn(copy)).toEqual(before.map(({ place }) => ({ place, version: '9.8.7' })));
    expect(setVersion(copy, '9.8.7')).toEqual([]);
    setVersion(copy, version);
    for (const place of places())
      expect([place, readFileSync(join(copy, place), 'utf8')]).toEqual([
        place,
        readFileSync(join(ROOT, place), 'utf8'),
      ]);
  });

  it('says which place has no version', () => {
    const place = join(copy, 'python/pyproject.toml');
    rmSync(place);
    cpSync(join(ROOT, 'LICENSE'), place);
    expect(() => setVersion(copy, '9.8.7')).toThrow('python/pyproject.toml: expected a version as in');
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
