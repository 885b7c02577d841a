/** A short tone for a job that is ready, made by the browser: two notes upwards. */

const NOTES_HZ = [660, 880] as const;
const NOTE_SECONDS = 0.14;
const LOUDNESS = 0.12;

/** Plays the tone. It stays silent until the visitor has clicked somewhere on the page: a rule of the browsers. */
export function playTone(): void {
  if (typeof AudioContext === "undefined") return;
  const context = new AudioContext();
  const gain = context.createGain();
  const oscillator = context.createOscillator();
  oscillator.connect(gain).connect(context.destination);
  const startSeconds = context.currentTime;
  const endSeconds = startSeconds + NOTES_HZ.length * NOTE_SECONDS;
  NOTES_HZ.forEach((hertz, index) => oscillator.frequency.setValueAtTime(hertz, startSeconds + index * NOTE_SECONDS));
  // Without a ramp the end would click.
  gain.gain.setValueAtTime(LOUDNESS, startSeconds);
  gain.gain.exponentialRampToValueAtTime(0.001, endSeconds);
  oscillator.addEventListener("ended", () => void context.close());
  oscillator.start(startSeconds);
  oscillator.stop(endSeconds);
}
