import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Extractor, ExtractorConfig, type ExtractorResult } from '@microsoft/api-extractor';
import { ENTRIES, ENTRY_NAMES, type EntryName, ROOT } from './entries.ts';

interface Declarations {
  /** Folder of the declarations: NAME.d.mts and NAME.d.cts for each entry. */
  readonly out: string;
  /** Folder of the reports, which are written anew; default: none are kept. */
  readonly reports?: string;
}

/**
 * Writes the declarations of each entry, in one file that imports none of the libraries in the bundles, and the reports
 * of what is public. Returns what is wrong with them, e.g. a public type that is not exported.
 */
export async function writeDeclarations({ out, reports }: Declarations): Promise<string[]> {
  const dir = await mkdtemp(join(await cacheFolder(), 'declarations-'));
  try {
    await Promise.all([
      compile(dir),
      mkdir(out, { recursive: true }),
      mkdir(reports ?? dir, { recursive: true }),
    ]);
    const messages: string[] = [];
    for (const name of ENTRY_NAMES)
      messages.push(...(await rollUp(name, { dir, out, reports: reports ?? dir })));
    return messages;
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** In the checkout: the compiler and api-extractor look for libraries from there. */
async function cacheFolder(): Promise<string> {
  const folder = join(ROOT, '.signalbox');
  await mkdir(folder, { recursive: true });
  return folder;
}

async function compile(dir: string): Promise<void> {
  const project = join(dir, 'tsconfig.json');
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true },
    ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], rootDir: ROOT, outDir: dir },
  };
  const files = ENTRY_NAMES.map((name) => join(ROOT, ENTRIES[name].module));
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], exclude: [], files };
  await writeFile(project, JSON.stringify(config));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', project]).catch(
    (error: { stdout?: string }) => {
      throw new Error(`the declarations do not compile:\n${error.stdout}`, { cause: error });
    },
  );
}

async function rollUp(name: EntryName, { dir, out, reports }: Required<Declarations> & { dir: string }) {
  const entry = join(dir, ENTRIES[name].module.replace(/\.ts$/, '.d.ts'));
  const rolledUp = join(dir, `${name}.d.ts`);
  const messages: string[] = [];
  const result = extract({ name, entry, reports, rolledUp, temporary: dir }, messages);
  if (!result.succeeded && messages.length === 0) throw new Error(`api-extractor failed for ${entry}`);
  if (name === 'client') await asPackage(dir, rolledUp);
  const text = await readFile(rolledUp, 'utf8');
  const importing = (extension: string) =>
    text.replaceAll("from 'signalbox'", `from './client.${extension}'`);
  await writeFile(join(out, `${name}.d.mts`), importing('mjs'));
  await writeFile(join(out, `${name}.d.cts`), importing('cjs'));
  return messages;
}

/** The other entries import the client's types: copies of its classes would be other types. */
async function asPackage(dir: string, declarations: string): Promise<void> {
  // In the scope of the project's own package.json, the name would be the project itself.
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'declarations', type: 'module' }));
  const folder = join(dir, 'node_modules/signalbox');
  await mkdir(folder, { recursive: true });
  await copyFile(declarations, join(folder, 'index.d.ts'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'signalbox', types: 'index.d.ts' }));
}

interface Extraction {
  readonly name: EntryName;
  readonly entry: string;
  readonly reports: string;
  readonly rolledUp: string;
  readonly temporary: string;
}

function extract(
  { name, entry, reports, rolledUp, temporary }: Extraction,
  messages: string[],
): ExtractorResult {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: entry,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions: READING, files: [entry] } },
      apiReport: {
        enabled: true,
        reportFolder: reports,
        reportTempFolder: join(temporary, 'reports'),
        reportFileName: name,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: rolledUp },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: {
          default: { logLevel: 'warning' as never },
          // Members say what they are by name and type. What is not clear from that has a comment.
          'ae-undocumented': { logLevel: 'none' as never },
        },
        tsdocMessageReporting: { default: { logLevel: 'warning' as never } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(ROOT, 'package.json'),
  });
  return Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = true;
      if (message.logLevel === 'none' || message.messageId.startsWith('console-')) return;
      messages.push(`${name}: ${message.formatMessageWithoutLocation()}`);
    },
  });
}

const READING = {
  ...{ module: 'nodenext', moduleResolution: 'nodenext', target: 'es2023', lib: ['es2024'], types: ['node'] },
  ...{ strict: true, skipLibCheck: true, allowImportingTsExtensions: true, noEmit: true },
};
