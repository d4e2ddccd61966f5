import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ownVersion } from '../../cli/shell/own-version.ts';
import { platformName } from '../../scripts/artifacts/image-sbom.ts';
import { imagesOf } from '../../scripts/image/read-layout.ts';
import { ROOT } from '../../scripts/package/entries.ts';
import { provenance } from '../../scripts/publish/provenance.ts';
import type { Ended } from '../cli/process.ts';
import { type Publisher, Publishers, VERIFYING_COMMANDS } from './publishers.ts';
import { makeSmallImage } from './small-release.ts';

/**
 * A small release, published with a key to a registry on loopback and verified, both by the commands of docs/releasing.md,
 * while no server elsewhere answers; and what forgers do who may write to the registry. Building cosign takes 5 minutes,
 * once.
 */

const BUILD_MS = 1_200_000;
const version = ownVersion();

const OF_IMAGE = VERIFYING_COMMANDS.filter((command) => command.includes('$registry/signalbox'));
const OF_CHART = VERIFYING_COMMANDS.filter((command) => command.includes('$registry/charts'));
const OF_FILES = VERIFYING_COMMANDS.filter((command) => command.includes('SHA256SUMS'));
const STATEMENTS_OF_IMAGE = OF_IMAGE.filter((command) => command.includes('verify-attestation'));

/** What is not in order before something is published. */
const TROUBLES = [
  {
    name: 'a file that is not what its checksum says',
    change: 'echo >>sbom/image-amd64.cdx.json',
    says: 'SHA256SUMS: expected the checksums of what is beside it, got others for sbom/image-amd64.cdx.json',
  },
  { name: 'a file without a checksum', change: 'echo >image/more', says: 'got others for image/more' },
  { name: 'a missing file', change: 'rm npm/*', says: `got others for npm/signalbox-${version}.tgz` },
  { name: 'no release', change: 'rm SHA256SUMS', says: 'expected what `npm run artifacts` makes' },
  { name: 'a wrong password', before: 'COSIGN_PASSWORD=wrong', says: 'decryption failed' },
  { name: 'no password', before: 'unset COSIGN_PASSWORD', says: 'decryption failed' },
  { name: 'a registry that is away', before: 'registry=127.0.0.1:1/any', says: 'connection refused' },
  { name: 'no key', before: 'rm $HOME/cosign.key', says: 'cosign.key: no such file or directory' },
];

describe('a published release', () => {
  let publishers: Publishers;
  beforeAll(async () => {
    publishers = await Publishers.open();
  }, BUILD_MS);
  afterAll(() => publishers?.close());

  async function newPublication(name: string) {
    const publisher = publishers.newPublisher(name);
    return { publisher, ...(await publish(publisher)) };
  }

  /** What the platform of the page's commands has in the release. */
  const ofPlatform = (layout: string) => imagesOf(layout).find(({ platform }) => platform === 'linux/amd64')!;

  test('is accepted by each command of the page, without a server of Sigstore', async () => {
    const { publisher, image, chart } = await newPublication('accepted');
    // As who installs it has it.
    rmSync(join(publisher.release, 'chart'), { recursive: true });
    const pull = `helm pull oci://${publisher.registry}/charts/signalbox --version ${version} --plain-http`;
    expect(await publisher.type(`mkdir chart && ${pull} --destination chart`)).toMatchObject({ code: 0 });
    const results = await publisher.verify();
    expect([OF_IMAGE.length, OF_CHART.length, OF_FILES.length]).toEqual([3, 2, 1]);
    expect(refused(results)).toEqual({});
    expect(results.get(OF_IMAGE[0]!)!.stdout).toContain(`"docker-manifest-digest":"${digestOf(image)}"`);
    expect(results.get(OF_CHART[0]!)!.stdout).toContain(`"docker-manifest-digest":"${digestOf(chart)}"`);
    const files = results.get(OF_FILES[0]!)!.stdout.split('\n');
    for (const file of [`chart/signalbox-${version}.tgz`, 'sbom/image-amd64.cdx.json', 'image/index.json'])
      expect(files).toContain(`${file}: OK`);
    expect(publishers.asked).toBe(0);
  });

  test('is stated to be built of this commit, and of what the SBOMs say', async () => {
    const { publisher, image, chart } = await newPublication('stated');
    for (const subject of [image, chart])
      expect(await statement(publisher, 'slsaprovenance1', subject)).toMatchObject({
        subject: [{ digest: { sha256: digestOf(subject).slice('sha256:'.length) } }],
        predicateType: 'https://slsa.dev/provenance/v1',
        predicate: provenance(ROOT, {}),
      });
    const images = imagesOf(join(publisher.release, 'image'));
    expect(images).toHaveLength(2);
    for (const one of images) {
      const name = `${publisher.registry}/signalbox@${one.digest}`;
      const { code } = await publisher.verifyBy(`cosign verify "\${signer[@]}" ${name}`);
      expect(code).toBe(0);
      const sbom = readFileSync(join(publisher.release, `sbom/image-${platformName(one)}.cdx.json`), 'utf8');
      expect(await statement(publisher, 'cyclonedx', name)).toMatchObject({
        subject: [{ digest: { sha256: one.digest.slice('sha256:'.length) } }],
        predicateType: 'https://cyclonedx.org/bom',
        predicate: JSON.parse(sbom),
      });
    }
  });

  test('is the same when it is published again', async () => {
    const { publisher, image, chart } = await newPublication('again');
    await publisher.type('touch chart/*');
    expect(await publish(publisher, { newKey: false })).toEqual({ image, chart });
    expect(refused(await publisher.verify())).toEqual({});
  });

  test('is refused if another key has signed it', async () => {
    const { publisher } = await newPublication('signed');
    await publisher.type('rm ../cosign.*; cosign generate-key-pair --output-key-prefix=../cosign', 'other');
    const all = [...OF_IMAGE, ...OF_CHART, ...OF_FILES].sort();
    const reasons = refused(await publisher.verify());
    expect(Object.keys(reasons).sort()).toEqual(all);
    for (const reason of Object.values(reasons))
      expect(reason).toMatch(/accepted signatures do not match threshold|invalid signature/);
  });

  test('is refused if another image has its tag, or the signatures as well', async () => {
    const { publisher, image } = await newPublication('replaced');
    const layout = join(publisher.home, 'other-image');
    await makeSmallImage(layout, 'of somebody else');
    const pushed = await publisher.type(
      `crane push ../other-image ${publisher.registry}/signalbox:${version}`,
    );
    const other = digestOf(pushed.stdout);
    expect(other).not.toBe(digestOf(image));

    const unsigned = refused(await publisher.verify());
    expect(Object.keys(unsigned)).toEqual(OF_IMAGE);
    for (const reason of Object.values(unsigned))
      expect(reason).toMatch(/no signatures found|no matching attestations: $/m);
    const repository = 'replaced/signalbox';
    await publishers.registry.forge({ repository, from: digestOf(image), to: other });
    const from = ofPlatform(join(publisher.release, 'image')).digest;
    await publishers.registry.forge({ repository, from, to: ofPlatform(layout).digest });
    const passedOff = refused(await publisher.verify());
    expect(Object.keys(passedOff)).toEqual(OF_IMAGE);
    for (const reason of Object.values(passedOff))
      expect(reason).toMatch(/provided artifact digest does not match/);
  });

  test('is refused if its statements were changed', async () => {
    const { publisher, image } = await newPublication('restated');
    const change = (bundle: string) => {
      const { dsseEnvelope, ...rest } = JSON.parse(bundle);
      const { predicate, ...of } = JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString());
      const payload = Buffer.from(JSON.stringify({ ...of, predicate: { ...predicate, more: true } }));
      return JSON.stringify({
        ...rest,
        dsseEnvelope: { ...dsseEnvelope, payload: payload.toString('base64') },
      });
    };
    for (const digest of [digestOf(image), ofPlatform(join(publisher.release, 'image')).digest])
      await publishers.registry.forge({ repository: 'restated/signalbox', from: digest, to: digest, change });
    const reasons = refused(await publisher.verify());
    expect(Object.keys(reasons)).toEqual(OF_IMAGE);
    for (const command of STATEMENTS_OF_IMAGE)
      expect(reasons[command]).toContain('accepted signatures do not match threshold');
  });

  test.each(['SHA256SUMS', 'sbom/image-amd64.cdx.json'])('is refused if %s was changed', async (file) => {
    const { publisher } = await newPublication(`changed-${file.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')}`);
    appendFileSync(join(publisher.release, file), '\n');
    const reasons = refused(await publisher.verify());
    expect(Object.keys(reasons)).toEqual(OF_FILES);
    expect(reasons[OF_FILES[0]!]).toMatch(/invalid signature|1 computed checksum did NOT match/);
  });

  test.each(TROUBLES)('pushes nothing with $name', async ({ name, change = '', before = '', says }) => {
    const publisher = publishers.newPublisher(name.replaceAll(' ', '-'));
    await publisher.type(change);
    const { code, stderr } = await publisher.publish({ before });
    expect(stderr).toContain(says);
    expect(code).toBe(1);
    const listed = await publisher.type(`crane catalog ${publishers.registry.host}`);
    expect(listed.code).toBe(0);
    expect(listed.stdout).not.toContain(`${name.replaceAll(' ', '-')}/`);
  });
});

/** Publishes, and returns the names that the command prints. */
async function publish(
  publisher: Publisher,
  options?: { readonly newKey: boolean },
): Promise<{ readonly image: string; readonly chart: string }> {
  const { code, stdout, stderr } = await publisher.publish(options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const [image, chart] = [...stdout.matchAll(/^published (.+)$/gm)].map(([, name]) => name!);
  return { image: image!, chart: chart! };
}

/** What a verified attestation states. */
async function statement(publisher: Publisher, type: string, subject: string): Promise<unknown> {
  const command = `cosign verify-attestation "\${signer[@]}" --type=${type} ${subject}`;
  const { code, stdout, stderr } = await publisher.verifyBy(command);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(Buffer.from(JSON.parse(stdout).payload, 'base64').toString());
}

/** Why, by the command. */
const refused = (results: ReadonlyMap<string, Ended>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...results].filter(([, { code }]) => code !== 0).map(([command, { stderr }]) => [command, stderr]),
  );

const digestOf = (name: string): string => name.trim().split('@')[1]!;
