import { request as httpRequest } from 'node:http';
import { z } from 'zod';
import { SandboxError } from './errors.ts';
import { gangProgramsSchema } from './gang-schedulers.ts';
import { gangOptionsSchema, simulatedNodesSchema } from './state.ts';
import { componentNames } from './supervisor/component.ts';

/** Requests to a running supervisor; one schema for both ends of the socket. */
export const controlRequestSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('restart'),
    component: z.enum(componentNames),
    /** `kill` ends it with SIGKILL first, as a crash would. */
    how: z.enum(['gracefully', 'kill']),
  }),
  z.object({ do: z.literal('add-simulated-nodes'), nodes: simulatedNodesSchema, kwok: z.string() }),
  z.object({ do: z.literal('add-local-node') }),
  z.object({
    do: z.literal('add-gang-schedulers'),
    options: gangOptionsSchema,
    programs: gangProgramsSchema,
    customResources: z.array(z.string()),
  }),
]);
export type ControlRequest = z.input<typeof controlRequestSchema>;

const controlAnswerSchema = z.union([
  z.object({ ok: z.literal(true), nodes: z.array(z.string()).optional() }),
  z.object({ ok: z.literal(false), message: z.string(), remedy: z.string() }),
]);
export type ControlAnswer = z.infer<typeof controlAnswerSchema>;

/** Resolves when the work is done: a restarted component or an added node is ready. */
export async function requestSupervisor(
  socketPath: string,
  requested: ControlRequest,
): Promise<{ nodes: string[] }> {
  const text = await post(socketPath, JSON.stringify(requested)).catch((cause: unknown) => {
    throw new SandboxError(
      `${socketPath}: the sandbox does not answer (${String(cause)})`,
      'see `signalbox sandbox status`; `signalbox sandbox up` starts it',
      { cause },
    );
  });
  const answer = controlAnswerSchema.parse(JSON.parse(text));
  if (!answer.ok) throw new SandboxError(answer.message, answer.remedy);
  return { nodes: answer.nodes ?? [] };
}

function post(socketPath: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ socketPath, method: 'POST', path: '/' }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve(text));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
