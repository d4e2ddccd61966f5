import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { errorMessage } from '../language/error-message.ts';

/**
 * Fails a call that starts after its connection was closed. The SDK retries calls from a timer that closing does not
 * stop, and an error thrown by gRPC in there would end the process.
 */
export const failWhenClosed: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return failedCall(errorMessage(error));
  }
};

const failedCall = (details: string): InterceptingCall =>
  new InterceptingCall({
    // The SDK does not retry this status, as it would `UNAVAILABLE`.
    start: (_metadata, listener) =>
      listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() }),
    sendMessage: () => undefined,
    sendMessageWithContext: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
    cancelWithStatus: () => undefined,
    getPeer: () => '',
    getAuthContext: () => null,
  });
