import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PREFERRED } from '../../runtime/node-runtime.mjs';
import type { LayoutImage } from '../image/read-layout.ts';
import { type BomComponent, componentsAt, type LockedPackages, sbomOf } from './sbom.ts';

/**
 * Returns the SBOM of an image, read from what is in its layers: packages of npm, of Debian, and Node. `scratch` is a
 * folder for what is in it.
 */
export function sbomOfImage(image: LayoutImage, locked: LockedPackages, scratch: string): string {
  mkdirSync(scratch, { recursive: true });
  for (const layer of image.layers)
    execFileSync('tar', ['--extract', '--gzip', `--file=${layer}`, `--directory=${scratch}`]);
  const subject: BomComponent = {
    ...locked.own,
    type: 'container',
    'bom-ref': `image@${image.digest}`,
    purl: `pkg:oci/signalbox@${encodeURIComponent(image.digest)}?arch=${platformName(image)}`,
    hashes: [{ alg: 'SHA-256', content: image.digest.slice('sha256:'.length) }],
  };
  const packages = componentsAt(scratch, packageFoldersBelow(scratch, 'app/node_modules'), locked);
  return sbomOf(
    subject,
    [locked.own, nodeIn(scratch), ...debianPackagesIn(scratch), ...packages],
    locked.dependencies,
  );
}

/** As in names of files: amd64. */
export const platformName = ({ platform }: LayoutImage): string => platform.split('/')[1]!;

/** Where npm has installed packages, nested ones included. */
function packageFoldersBelow(root: string, modules: string): readonly string[] {
  const folders = (folder: string) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => join(folder, name))
      .sort();
  const visit = (folder: string): readonly string[] =>
    folders(folder)
      .flatMap((path) => (/\/@[^/]+$/.test(path) ? folders(path) : [path]))
      .flatMap((path) => {
        const nested = readdirSync(path).includes('node_modules') ? visit(join(path, 'node_modules')) : [];
        return [relative(root, path), ...nested];
      });
  return visit(join(root, modules));
}

/** As `/var/lib/dpkg/status.d` records them, in the form of dpkg's own database. */
function debianPackagesIn(root: string): readonly BomComponent[] {
  const folder = join(root, 'var/lib/dpkg/status.d');
  const release = field(readFileSync(join(root, 'etc/os-release'), 'utf8'), 'VERSION_ID', '=').replaceAll(
    '"',
    '',
  );
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const [name, version, arch] = ['Package', 'Version', 'Architecture'].map((key) =>
        field(text, key, ': '),
      );
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version!)}?arch=${arch}&distro=debian-${release}`;
      return { 'bom-ref': purl, type: 'library', name: name!, version: version!, purl };
    });
}

function field(text: string, key: string, separator: string): string {
  const line = text.split('\n').find((one) => one.startsWith(`${key}${separator}`));
  if (!line) throw new Error(`expected a line ${key}${separator}…, got none in:\n${text}`);
  return line.slice(key.length + separator.length);
}

function nodeIn(root: string): BomComponent {
  const purl = `pkg:generic/node@${PREFERRED}`;
  const binary = readFileSync(join(root, 'usr/local/bin/node'));
  return {
    'bom-ref': purl,
    type: 'platform',
    name: 'node',
    version: PREFERRED,
    purl,
    // Scanners know Node by it.
    cpe: `cpe:2.3:a:nodejs:node.js:${PREFERRED}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(binary).digest('hex') }],
  };
}
