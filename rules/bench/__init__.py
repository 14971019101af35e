"""The rule checker: compiling and judging documents that authors are still writing.

work      the questions and their answers              (pure: no Django)
__main__  a process that answers questions, one a line
process   the web's side: processes with limits of time and memory

An author's grammar may be anything. What explodes or hangs does so in a process of its own, which
is killed; the web process goes on.
"""
