import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './entries.ts';
import { type Nested, usedMessages } from './without-messages.ts';

/**
 * Returns a module with the messages and services of Temporal's API that are used, as classes that protobufjs's own
 * compiler wrote. `@temporalio/proto` makes its classes from JSON at each start, which took a third of a command's time.
 * They know no types, for which `temporal-client.ts` has another file.
 */
export async function temporalMessages(): Promise<string> {
  const messages = await usedMessages();
  const services = servicesIn(messages).map((path) => `withOwnMethods($root.${path});`);
  return [whenAsked(await compiled(messages)), WITH_OWN_METHODS, ...services].join('\n');
}

/** Makes a class when it is first asked for: a command needs few of these hundreds. */
function whenAsked(code: string): string {
  const lazy = code.replace(CLASS, '$1lazily($2, "$3", function() {$4$1});');
  if (lazy === code) throw new Error('expected classes as protobufjs writes them, found none');
  return `${lazy}\n${LAZILY}`;
}

/** From the line that begins it to the one with the same indent that ends it. */
const CLASS = /^( {16,})(\w+)\.(\w+) = \(function\(\) \{$([\s\S]*?^)\1\}\)\(\);$/gm;

const LAZILY = `
function lazily(of, name, make) {
  const put = (value) => Object.defineProperty(of, name, { value, enumerable: true, configurable: true, writable: true });
  Object.defineProperty(of, name, { enumerable: true, configurable: true, set: put, get: () => put(make())[name] });
}`;

const servicesIn = (messages: Nested, above = ''): string[] =>
  Object.entries(messages).flatMap(([name, { methods, nested = {} }]) =>
    methods ? [`${above}${name}`] : servicesIn(nested, `${above}${name}.`),
  );

/** Temporal's client looks for a service's methods where protobufjs puts them that makes it from JSON. */
const WITH_OWN_METHODS = `
function withOwnMethods(service) {
  const { create, prototype } = service;
  const { constructor, ...methods } = prototype;
  service.create = (...given) => Object.assign(create.apply(service, given), methods);
}`;

const WITHOUT = ['comments', 'verify', 'convert', 'delimited', 'typeurl', 'beautify'];

function compiled(messages: Nested): Promise<string> {
  const options = ['--target', 'static-module', '--wrap', 'esm', ...WITHOUT.map((name) => `--no-${name}`)];
  const pbjs = join(ROOT, 'node_modules/protobufjs-cli/bin/pbjs');
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [pbjs, ...options, '-'],
      { cwd: ROOT, maxBuffer: 64 * 2 ** 20 },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin!.end(JSON.stringify(messages));
  });
}
