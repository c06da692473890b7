// Writes what the package glicko2 of npm, version 1.2.2, makes of 10,000 periods drawn by
// chance, a line each: rating, deviation (hundredths), volatility (billionths).
//
//   npm install glicko2@1.2.2 && node oracle.js > oracle.txt
//
// oracle_test.go draws the same periods by the same numbers.
const {Glicko2} = require('glicko2')

let x = 2027
function draw(n) { // a whole number from 0 to n-1
  x = (Math.imul(x, 1664525) + 1013904223) >>> 0
  return Math.floor((x >>> 8) / 16777216 * n)
}

for (let period = 0; period < 10000; period++) {
  const ranking = new Glicko2({tau: 0.5, rating: 1500, rd: 350, vol: 0.06})
  const players = []
  const n = 2 + draw(5)
  for (let i = 0; i < n; i++) {
    const r = 800 + draw(1400), rd = 30 + draw(321), vol = 40 + draw(50)
    players.push(ranking.makePlayer(r, rd, vol / 1000))
  }
  const matches = []
  const games = 1 + draw(10)
  for (let i = 0; i < games; i++) {
    matches.push([players[0], players[1 + draw(n - 1)], draw(3) / 2])
  }
  ranking.updateRatings(matches)
  const p = players[0]
  console.log([p.getRating() * 100, p.getRd() * 100, p.getVol() * 1e9].map(Math.round).join(' '))
}
