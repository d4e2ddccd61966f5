import type { Dispatcher } from 'undici';

/**
 * Returns a dispatcher that runs a check just before it sends a request, which may have waited long for a connection.
 * If the check throws, the request fails unsent with that error.
 */
export const checking = (dispatcher: Dispatcher, check: () => void): Dispatcher =>
  dispatcher.compose((dispatch) => (options, handler) => dispatch(options, checked(handler, check)));

function checked(handler: Dispatcher.DispatchHandler, check: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      handler.onRequestStart?.(controller, context);
      try {
        check();
      } catch (error) {
        controller.abort(error as Error);
      }
    },
    onResponseStart: (...told) => handler.onResponseStart?.(...told),
    onResponseData: (...told) => handler.onResponseData?.(...told),
    onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
    onResponseError: (...told) => handler.onResponseError?.(...told),
  };
}
