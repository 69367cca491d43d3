/* The sounds of a hall: two short tones at a warning, three strokes of a bell at the end. They are made here, so there is
   nothing to fetch, and a browser lets them sound once somebody has pressed a button (SCREENS.md B-8: off by default). */

/* How high and how loud the partials of a bell are, and for how many seconds they ring. */
const PARTIALS = [[0.5, 0.5, 4], [1, 0.8, 3], [1.19, 0.5, 2.4], [1.5, 0.3, 2], [2, 0.6, 1.8], [2.74, 0.25, 1.2], [3, 0.2, 1]];
const PITCH = 620;
const STROKES = [0, 1.1, 2.2];
const TONES = [0, 0.35];
/* Milliseconds by which a sound may be off before it is set anew. */
const CLOSE = 80;

export class Bells {
  constructor() {
    this.audio = null;
    this.lock = null;
    /* By name: when it sounds by the monotonic timer, and its oscillators. */
    this.set = new Map();
    this.wanted = new Map();
  }

  async on(plan) {
    if (this.audio) return;
    this.audio = new AudioContext();
    this.loud = this.audio.createDynamicsCompressor();
    this.loud.connect(this.audio.destination);
    this.audio.addEventListener("statechange", () => this.furnish());
    await this.audio.resume();
    plan();
    this.furnish();
    this.awake();
  }

  off() {
    this.audio?.close();
    this.lock?.release();
    this.audio = this.lock = null;
    this.set.clear();
    this.furnish();
  }

  /* A screen that goes dark takes the sound with it on some devices; where the browser can, it stays on. */
  async awake() {
    try {
      this.lock = await navigator.wakeLock?.request("screen");
    } catch {
      /* The battery is low, or the page is not in front. */
    }
  }

  /* `due`: by name, when each sound is due by the monotonic timer. A sound that is not among them any more is cancelled. */
  plan(due) {
    this.wanted = due;
    if (!this.audio) return;
    for (const [name, one] of this.set) {
      const other = due.get(name);
      if (other && Math.abs(other.at - one.at) < CLOSE) continue;
      if (!other && one.at < performance.now()) continue;
      for (const tone of one.tones) tone.stop();
      this.set.delete(name);
    }
    for (const [name, { at, bell }] of due) {
      if (!this.set.has(name)) this.set.set(name, { at, tones: this.sound(bell, at - performance.now()) });
    }
  }

  try() {
    if (this.audio) this.sound(true, 50);
  }

  /* `after`: milliseconds from now. */
  sound(bell, after) {
    const from = this.audio.currentTime + Math.max(0, after) / 1000;
    if (!bell) return TONES.map((start) => this.tone(988, 0.5, from + start, 0.25));
    return STROKES.flatMap((stroke) =>
      PARTIALS.map(([height, loudness, length]) => this.tone(PITCH * height, loudness * 0.5, from + stroke, length)),
    );
  }

  tone(pitch, loudness, from, length) {
    const tone = this.audio.createOscillator();
    const fades = this.audio.createGain();
    tone.frequency.value = pitch;
    fades.gain.setValueAtTime(0, 0);
    fades.gain.setValueAtTime(loudness, from);
    fades.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(fades).connect(this.loud);
    tone.start(from);
    tone.stop(from + length);
    return tone;
  }

  /* What the page says of the sound, and which buttons there are. */
  furnish() {
    for (const part of document.querySelectorAll("[data-sounds]")) {
      part.classList.toggle("unscripted", !window.AudioContext);
      const sounds = this.audio?.state === "running";
      const state = part.querySelector("[data-sound-state]");
      state.textContent = this.audio ? (sounds ? state.dataset.on : state.dataset.stopped) : state.dataset.off;
      state.classList.toggle("good", sounds);
      state.classList.toggle("warm", !sounds);
      part.querySelector("[data-sound-on]").hidden = Boolean(this.audio);
      part.querySelector("[data-sound-test]").hidden = !this.audio;
      part.querySelector("[data-sound-off]").hidden = !this.audio;
    }
  }
}
