import { useEffect, useState } from "react";
import { isAbort, isFailedCall } from "../../api/errors.ts";
import { cutApi } from "../../api/cut-api.ts";

export type WaveformState =
  { readonly is: "loading" } | { readonly is: "failed" } | { readonly is: "there"; readonly peaks: readonly number[] };

/** @returns the waveform of a job's file, and what asks for it again */
export function useWaveform(jobId: string): readonly [state: WaveformState, retry: () => void] {
  const [state, setState] = useState<WaveformState>({ is: "loading" });
  // A new one is a new try.
  const [request, setRequest] = useState({ jobId });

  useEffect(() => {
    const leaving = new AbortController();
    cutApi.peaks(request.jobId, leaving.signal).then(
      (peaks) => setState({ is: "there", peaks }),
      (error: unknown) => {
        if (isAbort(error)) return;
        if (!isFailedCall(error)) throw error;
        setState({ is: "failed" });
      },
    );
    return () => leaving.abort();
  }, [request]);

  const retry = (): void => {
    setState({ is: "loading" });
    setRequest({ jobId });
  };
  return [state, retry];
}
