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
  return [await compiled(messages), WITH_OWN_METHODS, ...services].join('\n');
}

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
