import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePrograms } from '@signalbox/sandbox';
import { ownVersion } from '../../cli/shell/own-version.ts';
import { secondsOfFiles } from '../artifacts/archive.ts';
import { CHECKSUMS, CHECKSUMS_SIGNATURE, checkChecksums } from '../artifacts/checksums.ts';
import { platformName } from '../artifacts/image-sbom.ts';
import { imagesOf } from '../image/read-layout.ts';
import { ROOT } from '../package/entries.ts';
import { IMAGE_PATH } from '../release/repository.ts';
import { provenance } from './provenance.ts';

interface Publication {
  /** What `npm run artifacts` has made. */
  readonly folder: string;
  /** E.g. `ghcr.io/acme`. */
  readonly registry: string;
  /** Of cosign. Without one it asks the CI system who signs. */
  readonly key?: string | undefined;
}

/** Names of what is published, by digest. */
interface Published {
  readonly image: string;
  readonly chart: string;
}

/**
 * Signs the checksums, beside which the signature then is. Pushes image and chart to a registry and signs them; attests
 * the provenance of both, and what each image is made of. Pushes nothing if a file is not what its checksum says, or if it
 * cannot sign. Repeating it pushes the same again.
 */
export async function publishToRegistry({ folder, registry, key }: Publication): Promise<Published> {
  if (!existsSync(join(folder, CHECKSUMS)))
    throw new Error(
      `${join(folder, CHECKSUMS)}: expected what \`npm run artifacts\` makes, got no such file`,
    );
  await checkChecksums(folder);
  const scratch = mkdtempSync(join(tmpdir(), 'signalbox-publish-'));
  try {
    const cosign = await openCosign(scratch, key);
    await cosign('sign-blob', `--bundle=${join(folder, CHECKSUMS_SIGNATURE)}`, join(folder, CHECKSUMS));
    const image = await pushImage(join(folder, 'image'), `${registry}/${IMAGE_PATH}`);
    const chart = await pushChart(join(folder, 'chart'), `${registry}/charts`);
    const statement = join(scratch, 'provenance.json');
    writeFileSync(statement, JSON.stringify(provenance(ROOT)));
    await cosign('sign', '--recursive', image);
    await cosign('sign', chart);
    for (const subject of [image, chart])
      await cosign('attest', '--type=slsaprovenance1', `--predicate=${statement}`, subject);
    for (const one of imagesOf(join(folder, 'image'))) {
      const sbom = join(folder, 'sbom', `image-${platformName(one)}.cdx.json`);
      const [name] = image.split('@');
      await cosign('attest', '--type=cyclonedx', `--predicate=${sbom}`, `${name}@${one.digest}`);
    }
    for (const name of [image, chart]) console.log(`published ${name}`);
    return { image, chart };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function pushImage(layout: string, repository: string): Promise<string> {
  const { crane } = await ensurePrograms({ names: ['crane'] });
  const { stdout } = await runProgram(crane, ['push', layout, `${repository}:${ownVersion()}`]);
  return stdout.trim();
}

async function pushChart(folder: string, repository: string): Promise<string> {
  const { helm } = await ensurePrograms({ names: ['helm'] });
  const [file] = readdirSync(folder) as [string];
  const chart = join(folder, file);
  // Helm notes it in what it pushes, whose digest would be another each time.
  utimesSync(chart, secondsOfFiles(), secondsOfFiles());
  const { stdout, stderr } = await runProgram(helm, [
    ...['push', chart, `oci://${repository}`],
    ...(isLoopback(repository) ? ['--plain-http'] : []),
  ]);
  const digest = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(stdout + stderr)?.[1];
  if (!digest) throw new Error(`helm push: expected a line with the digest, got\n${stdout}${stderr}`);
  return `${repository}/signalbox@${digest}`;
}

/** As crane and cosign decide it, too. */
const isLoopback = (repository: string) => /^(127\.0\.0\.1|localhost)[:/]/.test(repository);

/** Signs or attests something. */
type Cosign = (command: string, ...args: readonly string[]) => Promise<void>;

/**
 * Returns what signs: with a key, and then without any server of Sigstore; else by the identity that the CI system gives,
 * which is in Sigstore's public log from then on.
 */
async function openCosign(scratch: string, key?: string): Promise<Cosign> {
  const { cosign } = await ensurePrograms({ names: ['cosign'] });
  const how = key ? [`--key=${key}`, ...(await withoutServers(cosign, scratch))] : [];
  return async (command, ...args) => {
    await runProgram(cosign, [command, '--yes', ...how, ...args]);
  };
}

/** Names no servers: neither to log signatures, nor, by default asked of Sigstore each time, whom to trust. */
async function withoutServers(cosign: string, scratch: string): Promise<readonly string[]> {
  const options: string[] = [];
  for (const name of ['signing-config', 'trusted-root']) {
    const file = join(scratch, `${name}.json`);
    await runProgram(cosign, [name, 'create', `--out=${file}`]);
    options.push(`--${name}=${file}`);
  }
  return options;
}

const run = promisify(execFile);

/** Runs a program and returns what it prints. Throws with its complaint. It can ask nobody anything. */
async function runProgram(
  program: string,
  args: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const running = run(program, [...args], { maxBuffer: 2 ** 24 });
  running.child.stdin?.end();
  return running.catch((error: Error & { readonly stderr?: string }) => {
    throw new Error(`${basename(program)} ${args.join(' ')}: ${error.stderr || error.message}`, {
      cause: error,
    });
  });
}
