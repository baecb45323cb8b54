/**
 * Does it now, and once more behind it however often it was wanted meanwhile: a busy server is asked no faster than it
 * answers.
 */
export function coalesced(act: () => Promise<void>): () => void {
  let isBusy = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    try {
      while (isWanted) {
        isWanted = false;
        await act();
      }
    } finally {
      isBusy = false; // what threw is told by the browser, and must not keep the next one from being done
    }
  };
}
