import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const SERVER = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  'yaml-language-server',
  'bin',
  'yaml-language-server',
);

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** An editor with one file open, which speaks to the YAML language server as VS Code does. */
export interface Editor {
  /** Returns the sentences with which the server marks faults. */
  faultsOf(uri: string, text: string): Promise<string[]>;
  /** Returns the names that the server offers at a position. */
  completionsOf(at: {
    readonly uri: string;
    readonly text: string;
    readonly line: number;
    readonly character: number;
  }): Promise<string[]>;
  close(): Promise<void>;
}

export async function openEditor(): Promise<Editor> {
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const server = connect(child);
  await server.ask('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  server.notify('initialized', {});
  const settings = { yaml: { validate: true, completion: true, schemaStore: { enable: false } } };
  server.notify('workspace/didChangeConfiguration', { settings });
  const open = (uri: string, text: string) =>
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  return {
    faultsOf: async (uri, text) => {
      const marked = server.next(
        ({ method, params }) =>
          method === 'textDocument/publishDiagnostics' && (params as { uri: string }).uri === uri,
      );
      open(uri, text);
      const { params } = await marked;
      return (params as { diagnostics: { message: string }[] }).diagnostics.map(({ message }) => message);
    },
    completionsOf: async ({ uri, text, line, character }) => {
      open(uri, text);
      const textDocument = { uri };
      const result = await server.ask('textDocument/completion', {
        textDocument,
        position: { line, character },
      });
      return (result as { items: { label: string }[] }).items.map(({ label }) => label);
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Speaks JSON-RPC with a header for each message. */
function connect({ stdin, stdout }: ChildProcess) {
  const listeners = new Set<(message: Message) => void>();
  let received = Buffer.alloc(0);
  let lastId = 0;
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    stdin!.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const notify = (method: string, params: unknown) => send({ method, params });
  const next = (isWanted: (message: Message) => boolean) =>
    new Promise<Message>((resolve) => {
      const listener = (message: Message) => {
        if (!isWanted(message)) return;
        listeners.delete(listener);
        resolve(message);
      };
      listeners.add(listener);
    });
  stdout!.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const message = firstOf(received);
      if (!message) return;
      received = received.subarray(message.end);
      const parsed = JSON.parse(message.body) as Message;
      // The server asks for its settings, among others: the editor has none for it.
      if (parsed.method && parsed.id !== undefined) send({ id: parsed.id, result: null });
      for (const listener of [...listeners]) listener(parsed);
    }
  });
  return {
    notify,
    next,
    ask: async (method: string, params: unknown): Promise<unknown> => {
      const id = ++lastId;
      const answered = next((message) => message.id === id && message.method === undefined);
      send({ id, method, params });
      return (await answered).result;
    },
  };
}

/** Returns the first whole message that was received. */
function firstOf(received: Buffer): { readonly body: string; readonly end: number } | undefined {
  const start = received.indexOf('\r\n\r\n');
  if (start < 0) return undefined;
  const [, length] = /Content-Length: (\d+)/.exec(received.subarray(0, start).toString('utf8')) ?? [];
  const end = start + 4 + Number(length);
  return received.length < end
    ? undefined
    : { body: received.subarray(start + 4, end).toString('utf8'), end };
}
