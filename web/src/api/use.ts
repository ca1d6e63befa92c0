import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Input, type OperationName, type Output } from './client.ts';

interface Options {
  enabled?: boolean;
  /** For what other processes change without an event. */
  everyMs?: number;
  /** Asked for also while the tab is in the background. */
  always?: boolean;
  /** Large and slow to change: loaded when it is opened, not at every event. */
  calm?: boolean;
}

export function useOperation<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: Options = {},
) {
  return useQuery<Output<Name>>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, signal),
    enabled: options.enabled ?? true,
    ...(options.everyMs
      ? { refetchInterval: options.everyMs, refetchIntervalInBackground: options.always ?? false }
      : {}),
    ...(options.calm
      ? { meta: { calm: true }, staleTime: 60_000, structuralSharing: false, refetchOnWindowFocus: false }
      : {}),
  });
}

/** An operation that changes something: everything shown is loaded anew after it. */
export function useAction<Name extends OperationName>(name: Name) {
  const client = useQueryClient();
  return useMutation<Output<Name>, Error, Input<Name>>({
    mutationFn: (input) => call(name, input),
    onSettled: () => client.invalidateQueries(),
  });
}
