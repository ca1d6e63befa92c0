import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type Input, type OperationName, type Output } from './client.ts';

interface Options {
  enabled?: boolean;
  /** For what other processes change without an event. */
  everyMs?: number;
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
    ...(options.everyMs ? { refetchInterval: options.everyMs } : {}),
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
