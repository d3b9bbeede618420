"""The words that values are made of: plain English, names, fields, in ASCII.

Data only. Short, common words of several lengths, so that texts read as a person's.
"""

from __future__ import annotations

__all__ = ["FIELDS", "NAMES", "SENTENCES", "WORDS"]

_WORDS = """
a an as at be by do go if in it me my no of on or so to up we age air all and arm art
bag bar bat bed bee big bit box boy bus cat cow cup cut day dog dot ear egg end eye fan
far fig fly fog fox fun gas gum hat hen ice ink jam jar key kit lab leg log map mud net
nut oak oil owl pan pen pie pin pot red row sea sky sun tea ten toy van war wax web yes
zip zoo able acid atom baby back ball band bank barn base bear beep bell bird blue boat
book bowl cafe cake call camp card city clay coal code coin cold cook corn crab dart
data deer desk dish door drum duck dust east echo edge face farm fast film fire fish
flag foot fork frog game gate gift goat gold hall hand head hero hill home hope iron
item jazz jump kite lake lamp land leaf left lime lion list loop mask math meal milk
mint moon moss name neck nest node noon note open oval page park path peak pear pine
plum pond pool rain rest rice ring road rock roof room rose salt sand seed ship shoe
shop silk snow soap song star stem stop tail tape task team tent tick time tree tuna
turn unit vase view wall wave west wind wolf wood wool word yard year zero zone alpha
apple arena bacon badge beach berry bread brick brown candy chair chalk cloud clown
delta eagle earth fable feast field flame gamma glass grape grass green hello honey
horse house index jelly juice kiosk label lemon level light madam mango maple metal
minor mouse music night noise ocean olive onion orbit panda paper peach piano pilot
plant queen quiet radar river robin robot round salad shell silver snake stone storm
sugar table tiger tooth total tower train uncle value water whale wheat world zebra
animal banana basket bottle bridge button camera candle carrot castle cherry circle
coffee cookie copper cotton dragon engine flower forest garden ginger guitar hammer
island jacket kitten ladder letter market mirror monkey number orange palace pepper
planet pocket python rabbit racecar rocket school season spider summer ticket tomato
tunnel turtle velvet window winter yellow balloon blanket chicken diamond dolphin
element evening example giraffe hamster journey kitchen lantern morning mustard network
noodle october pancake penguin rainbow science sparrow teacher thunder unicorn village
weather baseball calendar dinosaur elephant hospital language mountain notebook sandwich
squirrel strength sunshine telescope umbrella butterfly chocolate crocodile mississippi
programming strawberry watermelon
"""
_NAMES = """
Ada Ali Amy Ann Ben Bob Dan Eve Eli Fay Guy Ian Ivy Jay Joe Kim Lee Leo Liu Mae Max Mia
Ned Nia Pam Raj Ray Roy Sam Sue Tim Tom Uma Val Zoe Alan Alma Anna Bill Cara Carl Dana
Dean Dora Eric Evan Finn Gina Hugo Iris Jack Jane Jill John Judy Karl Kate Lara Liam
Lily Lisa Luke Mark Mary Mina Nina Noah Omar Otto Paul Pete Rosa Ruby Sara Theo Vera
Yuki Alice Bruno Carla Chloe David Diego Ellen Emily Frank Grace Harry Helen Irene Jason
Julia Kevin Laura Maria Oscar Peter Priya Robin Simon Sofia Tariq Wendy
"""
_FIELDS = """
id x y z age city code color cost count country date day email end height host index
item key kind label lang left level limit max min mode month name next note owner path
port price qty rank rate right role score size start state status sum tag team temp time
title total type unit user value weight width year
"""
_SENTENCES = """
hello world
the quick brown fox
to be or not to be
a man a plan a canal
row row row your boat
one two three two one
she sells sea shells
Hello, World!
It is 5 o'clock.
What? No way!
The cat sat on the mat.
Never odd or even
An apple a day
I have 2 dogs and 3 cats
Call me at 555-0199
Yes, yes, yes... no
all that glitters
Better late than never
no news is good news
first things first
Order 66: 12 units
A1 B22 C333
hot and cold, up and down
Mind the gap!
We are what we do
live and let live
Red, green and blue
Done is better than perfect
the end of the end
up up down down
"""

WORDS: tuple[str, ...] = tuple(_WORDS.split())
"""Common words, short ones first."""
NAMES: tuple[str, ...] = tuple(_NAMES.split())
"""First names of many places."""
FIELDS: tuple[str, ...] = tuple(_FIELDS.split())
"""What records call their fields."""
SENTENCES: tuple[str, ...] = tuple(_SENTENCES.strip().split("\n"))
"""Short sentences in which letters, words, digits or marks come again."""
