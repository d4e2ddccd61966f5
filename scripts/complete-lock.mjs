// node scripts/complete-lock.mjs: adds to package-lock.json the optional packages for other platforms that a partial
// registry mirror lacked when the lock was written. Without their entries `npm ci` rejects the lock on any platform.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './node-runtime.mjs';

const OS = /android|darwin|freebsd|linux|openbsd|netbsd|openharmony|sunos|aix|win32|wasi/;
const CPU = /arm64|x64|ia32|ppc64|s390x|riscv64|loong64|mips64el|wasm32|arm/;

const path = join(ROOT, 'package-lock.json');
const lock = JSON.parse(await readFile(path, 'utf8'));
const missing = Object.values(lock.packages).flatMap(({ optionalDependencies = {}, dev }) =>
  Object.entries(optionalDependencies)
    .filter(([name, version]) => !lock.packages[`node_modules/${name}`] && /^\d/.test(version))
    .map(([name, version]) => [`node_modules/${name}`, entryFor(name, version, dev)]),
);
const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) });
lock.packages = Object.fromEntries(packages.sort(([a], [b]) => a.localeCompare(b, 'en')));
await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} packages added: ${missing.map(([name]) => name.slice(13)).join(', ')}`);

function entryFor(name, version, dev) {
  const os = OS.exec(name)?.[0];
  const cpu = CPU.exec(name)?.[0];
  const libc = os === 'linux' ? /musl|gnu/.exec(name)?.[0].replace('gnu', 'glibc') : undefined;
  return {
    version,
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    ...(os && os !== 'wasi' ? { os: [os] } : {}),
  };
}
