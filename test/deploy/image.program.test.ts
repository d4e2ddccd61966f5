import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ownVersion } from '../../cli/shell/own-version.ts';
import { IMAGE_NAME, makeImage } from '../../scripts/image/image.ts';
import { archiveLayout } from '../../scripts/image/oci-layout.ts';
import { ownPlatform } from '../../scripts/image/platforms.ts';
import { imagesOf, type LayoutImage } from '../../scripts/image/read-layout.ts';
import { missingForImage } from '../../scripts/image/requirements.ts';
import { freePort } from '../../worker/free-port.ts';
import { eventually } from '../eventually.ts';
import { filesOf, unpack } from './image-layout.ts';
import { ROOT } from './manifests.ts';
import { missingForPodman, Podman } from './podman.ts';

jest.setTimeout(900_000);

const PLATFORMS = ['linux/amd64', 'linux/arm64'];
const OWN = `linux/${ownPlatform()}`;

const toMake = missingForImage();
const toRun = [...toMake, ...missingForPodman()];
for (const [what, missing] of Object.entries({ 'The image': toMake, 'Containers of the image': toRun }))
  if (missing.length > 0) console.warn(`${what} cannot be tested: ${missing.join('; ')}.`);

(toMake.length > 0 ? describe.skip : describe)('the image', () => {
  let dir: string;
  let layout: string;
  let images: readonly LayoutImage[];
  const imageOf = (platform: string) => images.find((image) => image.platform === platform)!;

  beforeAll(async () => {
    mkdirSync(join(ROOT, '.signalbox'), { recursive: true });
    dir = mkdtempSync(join(ROOT, '.signalbox/image-test-'));
    layout = join(dir, 'layout');
    await makeImage(layout, ['amd64', 'arm64']);
    images = imagesOf(layout);
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  test('is for amd64 and arm64, and smaller than 100 MB', () => {
    expect(images.map(({ platform }) => platform)).toEqual(PLATFORMS);
    for (const { bytes } of images) expect(bytes).toBeLessThan(100e6);
  });

  test('is the same, bit for bit, when it is made again', async () => {
    const again = join(dir, 'again');
    await makeImage(again, [ownPlatform()]);
    expect(imagesOf(again)[0]!.digest).toBe(imageOf(OWN).digest);
  });

  test.each(PLATFORMS)('for %s has no program but Node', (platform) => {
    const files = filesOf(imageOf(platform)).filter(({ mode }) => !mode.startsWith('d'));
    const programs = files.filter(({ path }) => /^(usr\/)?(local\/)?s?bin\//.test(path));
    expect(programs.map(({ path }) => path)).toEqual(['usr/local/bin/node']);
    expect(files.map(({ path }) => basename(path)).filter((name) => NEVER.includes(name))).toEqual([]);
  });

  test.each(PLATFORMS)('for %s belongs to root, who alone can write to it but for volumes', (platform) => {
    const files = filesOf(imageOf(platform));
    expect(new Set(files.map(({ owner }) => owner))).toEqual(new Set(['0/0']));
    const writable = files.filter(({ mode }) => /^[^l]....w|^[^l].{7}w|s/.test(mode));
    expect(writable.map(({ mode, path }) => `${mode} ${path}`)).toEqual([
      'drwxrwxrwt tmp/',
      'drwxrwxrwt var/lib/signalbox/evidence/',
      'drwxrwxrwt var/lib/signalbox/record/',
      'drwxrwxrwt var/tmp/',
    ]);
  });

  test.each(PLATFORMS)('for %s trusts the authorities of Debian’s package, and no others', (platform) => {
    const root = mkdtempSync(join(dir, 'root-'));
    unpack(imageOf(platform), 'etc/ssl', root);
    unpack(imageOf(platform), 'usr/share/ca-certificates', root);
    const debian = join(root, 'usr/share/ca-certificates/mozilla');
    const ofDebian = readdirSync(debian).map((name) => readFileSync(join(debian, name), 'utf8').trim());
    const bundle = readFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), 'utf8');
    const trusted = bundle.match(/-----BEGIN.*?-----END CERTIFICATE-----/gs)!;
    expect(trusted.length).toBeGreaterThan(100);
    expect(trusted.sort()).toEqual(ofDebian.sort());
  });

  (toRun.length > 0 ? describe.skip : describe)('in a container with a read-only disk and no rights', () => {
    let podman: Podman;

    beforeAll(async () => {
      podman = new Podman();
      const archive = join(dir, 'image.tar');
      await archiveLayout(layout, archive);
      await podman.do('load', `--input=${archive}`);
    });
    afterAll(() => podman.close());

    describe.each(['1000:1000', '4242:0'])('as the user %s', (user) => {
      test('prints its version', async () => {
        expect(await podman.run(`--user=${user}`, IMAGE_NAME, '--version')).toBe(ownVersion());
      });

      test('writes to a new volume', async () => {
        const volume = `--volume=evidence-${user.replace(':', '-')}:/var/lib/signalbox/evidence`;
        const script = "fs.writeFileSync('/var/lib/signalbox/evidence/pod', 'log'); console.log('written')";
        const node = [`--user=${user}`, volume, '--entrypoint=node', IMAGE_NAME, '--eval'];
        expect(await podman.run(...node, script)).toBe('written');
      });

      test('is a worker that answers, also to the health check', async () => {
        const port = await freePort();
        const worker = await startWorker(podman, user, port);
        await eventually('the worker answers', async () => {
          const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`);
          return ok;
        });
        const check = ['exec', worker, 'node', 'deploy/image/health-check.mjs'];
        await expect(podman.do(...check)).rejects.toMatchObject({
          code: 1,
          stdout: expect.stringContaining('worker: '),
        });
        await podman.do('stop', worker);
      });
    });
  });

  /** With a Temporal and a cluster that are not there: it waits for them. */
  function startWorker(podman: Podman, user: string, port: number): Promise<string> {
    const kubeconfig = join(dir, 'kubeconfig');
    writeFileSync(kubeconfig, KUBECONFIG);
    return podman.run(
      ...['--detach', `--user=${user}`, `--volume=${kubeconfig}:/kubeconfig:ro`],
      ...[`--env=SIGNALBOX_HTTP_PORT=${port}`, '--env=SIGNALBOX_KUBECONFIG=/kubeconfig'],
      ...['--env=TEMPORAL_ADDRESS=127.0.0.1:1', IMAGE_NAME, 'worker'],
    );
  }
});

const NEVER = ['sh', 'bash', 'dash', 'busybox', 'apt', 'apt-get', 'dpkg', 'npm', 'npx', 'corepack', 'yarn'];

const KUBECONFIG = `
apiVersion: v1
kind: Config
clusters: [{ name: test, cluster: { server: "http://127.0.0.1:1" } }]
contexts: [{ name: test, context: { cluster: test, user: test } }]
users: [{ name: test, user: {} }]
current-context: test
`;
