import { describe, expect, it } from '@jest/globals';
import { NamespaceNotFoundError, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { GRPC, isTransientTemporalError, toClientError } from '../../client/servers/temporal-errors.ts';

const answer = (code: number, details: string) =>
  new ServiceError('failed', { cause: Object.assign(new Error(details), { code, details, metadata: {} }) });

describe('an error that may pass when the call is repeated', () => {
  it.each([
    ['a server that is away', answer(GRPC.unavailable, 'connection refused'), true],
    [
      'a server that has just started, and does not know its namespaces yet',
      answer(GRPC.notFound, 'Namespace default is not found.'),
      true,
    ],
    ['an unknown namespace, as an error of the SDK', new NamespaceNotFoundError('default'), true],
    ['a workflow that is not there', answer(GRPC.notFound, 'workflow not found for ID: a'), false],
    [
      'a missing workflow, as an error of the SDK',
      new WorkflowNotFoundError('not found', 'a', undefined),
      false,
    ],
    ['a refusal', answer(GRPC.failedPrecondition, 'no'), false],
  ])('%s', (_, error, expected) => {
    expect(isTransientTemporalError(error)).toBe(expected);
  });
});

describe('a namespace that Temporal does not have', () => {
  it.each([
    ['the server', answer(GRPC.notFound, 'Namespace mll is not found.')],
    ['the SDK', new NamespaceNotFoundError('mll')],
  ])('is no missing job, as %s says it, and the error names the next step', (_, error) => {
    expect(toClientError(error, { workflowId: '', address: 'a:7233', namespace: 'mll' })).toMatchObject({
      code: 'Refused',
      message: 'Temporal has no namespace mll.',
      remedy: expect.stringContaining('temporal operator namespace create --namespace mll --retention 30d'),
    });
  });
});
