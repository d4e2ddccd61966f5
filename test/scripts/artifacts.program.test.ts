import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ownVersion } from '../../cli/shell/own-version.ts';
import { makeAllButImage, makeArtifacts } from '../../scripts/artifacts/artifacts.ts';
import { writeChecksums } from '../../scripts/artifacts/checksums.ts';
import { ownPlatform } from '../../scripts/image/platforms.ts';
import { imagesOf } from '../../scripts/image/read-layout.ts';
import { missingForImage } from '../../scripts/image/requirements.ts';
import { ROOT } from '../../scripts/package/entries.ts';
import { registryOf, urlOf } from '../../scripts/release/repository.ts';
import { filesOf } from '../deploy/image-layout.ts';
import { openInstallers } from '../deploy/installers.ts';
import { findPython } from '../python/environment.ts';

jest.setTimeout(900_000);

const version = ownVersion();
const url = urlOf(ROOT);
const PACKED = {
  signalbox: `npm/signalbox-${version}.tgz`,
  client: `npm/signalbox-client-${version}.tgz`,
  wheel: `python/signalbox-${version}-py3-none-any.whl`,
  sdist: `python/signalbox-${version}.tar.gz`,
  chart: `chart/signalbox-${version}.tgz`,
};

/** The outermost folders of packages that npm installs with signalbox. */
function runTimeFolders(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { dev?: boolean; link?: boolean }>>;
  };
  return Object.keys(packages).filter(
    (path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !packages[path]!.dev && !packages[path]!.link,
  );
}

/** As they take place on a disk. */
const megabytesIn = (folders: readonly string[]): number =>
  Number(
    /^(\d+)\ttotal$/m.exec(execFileSync('du', ['-cm', '--summarize', ...folders], { encoding: 'utf8' }))![1],
  );

const missing = [...missingForImage()];
if (!(await findPython())) missing.push('Python 3.10 or later is missing');
if (missing.length > 0) console.warn(`The artifacts of a release cannot be tested: ${missing.join('; ')}.`);

(missing.length > 0 ? describe.skip : describe)('the artifacts of a release', () => {
  let dir: string;
  let out: string;

  beforeAll(async () => {
    mkdirSync(join(ROOT, '.signalbox'), { recursive: true });
    dir = mkdtempSync(join(ROOT, '.signalbox/artifacts-test-'));
    out = join(dir, 'release');
    // Another test makes the image of the other platform.
    await makeArtifacts(out, [ownPlatform()]);
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  const read = (file: string) => readFileSync(join(out, file), 'utf8');
  const inside = (archive: string, path: string) =>
    execFileSync('tar', ['--extract', '--gzip', '--to-stdout', `--file=${join(out, archive)}`, path], {
      encoding: 'utf8',
    });

  test('are packages of npm and Python, a chart, an image, SBOMs, and the checksums of all', () => {
    const listed = read('SHA256SUMS')
      .split('\n')
      .map((line) => line.split('  ')[1] ?? '');
    const sboms = [`image-${ownPlatform()}`, 'signalbox', 'signalbox-client'];
    expect(listed.filter((file) => file && !file.startsWith('image/blobs/'))).toEqual(
      [
        ...Object.values(PACKED),
        ...['image/index.json', 'image/manifest.json', 'image/oci-layout'],
        ...sboms.map((name) => `sbom/${name}.cdx.json`),
      ].sort(),
    );
    execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: out });
  });

  test('are the same, bit for bit, when they are made again', async () => {
    const again = join(dir, 'again');
    // A test of its own makes that twice.
    cpSync(join(out, 'image'), join(again, 'image'), { recursive: true });
    await makeAllButImage(again);
    await writeChecksums(again);
    expect(readFileSync(join(again, 'SHA256SUMS'), 'utf8')).toBe(read('SHA256SUMS'));
  });

  test.each([PACKED.signalbox, PACKED.client])('%s names the repository that it is built from', (archive) => {
    expect(JSON.parse(inside(archive, 'package/package.json'))).toMatchObject({
      repository: { type: 'git', url: `git+${url}.git` },
      bugs: `${url}/issues`,
      homepage: `${url}#readme`,
      publishConfig: { access: 'public', provenance: true },
    });
  });

  test('the packages of Python name it, too', () => {
    expect(inside(PACKED.sdist, `signalbox-${version}/PKG-INFO`)).toContain(
      `Project-URL: Repository, ${url}\n`,
    );
  });

  test('the chart installs the published image', async () => {
    const { helm } = await openInstallers();
    const chart = join(out, PACKED.chart);
    const rendered = await helm('template', 'release', chart, '--set=temporal.address=temporal:7233');
    const images = [...rendered.matchAll(/^ +image: "?([^"\n]+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`${registryOf(ROOT)}/signalbox:${version}`]));
    expect(await helm('show', 'chart', chart)).toContain(`home: ${url}\n`);
  });

  test('weigh less than 460 MB when npm installs signalbox, and bring neither DuckDB nor a compiler', () => {
    // Of this platform are those that are here. docs/client.md has the number.
    const folders = runTimeFolders().filter((folder) => existsSync(join(ROOT, folder)));
    expect(folders.filter((folder) => /duckdb|typescript|signalbox/.test(folder))).toEqual([]);
    const own = join(dir, 'unpacked');
    mkdirSync(own);
    execFileSync('tar', [
      '--extract',
      '--gzip',
      `--file=${join(out, PACKED.signalbox)}`,
      `--directory=${own}`,
    ]);
    expect(megabytesIn([own])).toBeLessThan(42);
    expect(megabytesIn([own, ...folders.map((folder) => join(ROOT, folder))])).toBeLessThan(460);
  });

  test('each SBOM is valid CycloneDX', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
    const files = readdirSync(join(out, 'sbom'));
    expect(files).toHaveLength(3);
    for (const file of files)
      expect([file, await validator.validate(read(`sbom/${file}`))]).toEqual([file, null]);
  });

  test('the SBOM of the image has all that is in it: Node, packages of Debian and of npm', () => {
    const { components } = JSON.parse(read(`sbom/image-${ownPlatform()}.cdx.json`)) as {
      readonly components: readonly { readonly purl: string; readonly name: string }[];
    };
    const [image] = imagesOf(join(out, 'image'));
    const paths = filesOf(image!).map(({ path }) => path);
    const manifests = paths.filter((path) =>
      /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path),
    );
    const debian = paths
      .filter((path) => /status\.d\/[^/]+$/.test(path))
      .map((path) => path.split('/').at(-1));
    const named = (type: string) =>
      components.filter(({ purl }) => purl.startsWith(`pkg:${type}/`)).map(({ name }) => name);
    expect(debian).toHaveLength(6);
    expect(named('deb').sort()).toEqual(debian.sort());
    expect(named('generic')).toEqual(['node']);
    const installed = new Set(
      manifests.map((path) =>
        path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length, -'/package.json'.length),
      ),
    );
    expect(installed.size).toBeGreaterThan(250);
    expect(new Set(named('npm'))).toEqual(new Set([...installed, 'signalbox']));
    expect([...installed].filter((name) => /duckdb|sandbox/.test(name))).toEqual([]);
  });

  test('the SBOM of the client has what is in its bundles', () => {
    const { components } = JSON.parse(read('sbom/signalbox-client.cdx.json')) as {
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    const notices = inside(PACKED.client, 'package/THIRD-PARTY-NOTICES.txt');
    expect(components.length).toBeGreaterThan(20);
    for (const { name, version: of } of components) expect(notices).toContain(`${name} ${of} (`);
  });
});
